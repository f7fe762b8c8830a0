// The options of Node that a build is started with: what its own command asks for.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function nodeOptions(root) {
  const [first] = readFileSync(join(root, 'bin/lectern.js'), 'utf8').split('\n')
  return first.match(/ --\S+/g)?.map((option) => option.trim()) ?? []
}
