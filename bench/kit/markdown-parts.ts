/** What `markdown.js` measures, in one bundle made as the server's is. */

export { fromMarkdown } from '../../src/core/document/read/from-markdown.ts'
export { parseTokens } from '../../src/core/document/syntax/markdown-parser.ts'
export { toMarkdown } from '../../src/core/document/to-markdown.ts'
export { maxSize, sizeOf, TooLarge } from '../../src/core/document/tree/size.ts'
export { dense } from '../../test/core/document/dense.ts'
