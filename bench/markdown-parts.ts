/** What `markdown.js` measures, in one bundle made as the server's is. */
export { fromMarkdown } from '../src/core/document/from-markdown.ts'
export { parseTokens } from '../src/core/document/markdown-parser.ts'
export { maxSize, sizeOf, TooLarge } from '../src/core/document/size.ts'
export { toMarkdown } from '../src/core/document/to-markdown.ts'
export { dense } from '../test/core/document/dense.ts'
