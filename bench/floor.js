// What no editor of this kind can be faster than on this machine: ProseMirror alone, without an app, on the same text.
import { createServer } from 'node:http'
import { build } from 'esbuild'

const source = `
import { Schema } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { group: 'block', content: 'text*', toDOM: () => ['p', 0] },
    heading: { group: 'block', content: 'text*', toDOM: () => ['h2', 0] },
    text: {},
  },
})
const blocks = document.getElementById('text').textContent.split('\\n\\n').filter(Boolean)
const nodes = blocks.map((block) =>
  block.startsWith('## ')
    ? schema.node('heading', null, schema.text(block.slice(3)))
    : schema.node('paragraph', null, schema.text(block)),
)
new EditorView(document.getElementById('root'), {
  state: EditorState.create({ doc: schema.node('doc', null, nodes) }),
  attributes: { class: 'ed-doc' },
})
document.title = 'ready'
`

/** Serves that editor on a text whose blocks are apart by empty lines; a heading begins with `## `. */
export async function serveFloor(text) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: new URL('..', import.meta.url).pathname },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  const html = `<!doctype html><title>Floor</title><link rel="icon" href="data:,"><script type="module" src="/floor.js"></script><div id="root"></div><pre id="text" hidden>${text}</pre>`
  const server = createServer((request, response) => {
    const isScript = request.url === '/floor.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.setHeader('cache-control', isScript ? 'public, max-age=31536000, immutable' : 'no-cache')
    response.end(isScript ? outputFiles[0].contents : html)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}
