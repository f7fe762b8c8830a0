/** What `markdown.js` measures, in one bundle made as the server's is. */
export { fromMarkdown } from '../src/core/document/from-markdown.ts'
export { parseTokens } from '../src/core/document/markdown-parser.ts'
export { toMarkdown } from '../src/core/document/to-markdown.ts'
export { maxNodes } from '../src/core/document/validate.ts'
export { walk } from '../src/core/document/walk.ts'
export { dense } from '../test/core/document/dense.ts'
