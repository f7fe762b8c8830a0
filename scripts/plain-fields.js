// markdown-it is published with the fields of its classes defined by a helper: a call with three look-ups for each field of
// each token, a twelfth of all reading of Markdown. Here they are plain assignments, as its sources have them; no class of
// it has a setter that this could call.
import { readFileSync } from 'node:fs'

const field = /_defineProperty\(\s*this,\s*(?:\/\*[\s\S]*?\*\/\s*)?"(\w+)",\s*([\s\S]*?)\s*\);/g

export const plainFields = {
  name: 'plain-fields',
  setup(build) {
    build.onLoad({ filter: /markdown-it[\\/]dist[\\/]markdown-it\.mjs$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8').replace(field, 'this.$1 = $2;')
      // Another version, published in another way: then this is no longer needed, or has to be mended.
      if (!contents.includes('this.hidden = false;') || /_defineProperty\(\s*this/.test(contents))
        throw new Error('markdown-it is written otherwise than scripts/plain-fields.js expects.')
      return { contents, loader: 'js' }
    })
  },
}
