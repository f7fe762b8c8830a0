/** What `markdown.js` measures, in one bundle made as the server's is. */
export { fromMarkdown } from '../src/core/document/from-markdown.ts'
export { assignKeys } from '../src/core/document/keys.ts'
export { parseTokens } from '../src/core/document/markdown-parser.ts'
export { maxSize, sizeOf } from '../src/core/document/size.ts'
export { toMarkdown } from '../src/core/document/to-markdown.ts'
export { walk } from '../src/core/document/walk.ts'
export { dense } from '../test/core/document/dense.ts'
