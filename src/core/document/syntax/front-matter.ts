/**
 * Front matter: the YAML before the page. The keys that mean something here have names; all others are kept beside
 * them, so that they print back.
 */
import { Document, isScalar, visit } from 'yaml'
import { readYaml, yamlValue } from '../../yaml.ts'
import { plainObject } from '../tree/fields.ts'
import type { PlainObject, PlainValue } from '../tree/nodes.ts'

export type FrontMatter = {
  description?: string
  icon?: string
  hidden?: boolean
  vars?: PlainObject
  if?: string
  cover?: PlainValue
  coverY?: number
  layout?: PlainObject
  tags?: PlainValue
  /** The keys that have no meaning here. */
  other: PlainObject
}

/** What is longer is no front matter. */
export const maxFrontMatter = 64_000

const fences = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\n)?---[ \t]*(?:\r?\n|$)/

/** How much of a text is front matter with its fences, whatever it says and however long it is. */
export const lengthOfFrontMatter = (markdown: string): number => fences.exec(markdown)?.[0].length ?? 0

/** What stands between the fences. */
export const sourceOfFrontMatter = (markdown: string): string | undefined => fences.exec(markdown)?.[1]

/** The front matter and what follows it. What is not valid YAML, or no map, is left in the page. */
export function splitFrontMatter(markdown: string): { frontMatter: FrontMatter; body: string } {
  const none = { frontMatter: { other: {} }, body: markdown }
  const match = fences.exec(markdown)
  if (match === null) return none
  const source = match[1] ?? ''
  if (source.length > maxFrontMatter) return none
  const read = readFrontMatter(source)
  return read === undefined ? none : { frontMatter: read, body: markdown.slice(match[0].length) }
}

function readFrontMatter(source: string): FrontMatter | undefined {
  const read = readYaml(source)
  if (!('value' in read)) return undefined
  try {
    const { value } = read
    return value === null || value === undefined
      ? source.trim() === ''
        ? { other: {} }
        : undefined
      : sortKeys(plainObject(value, ''))
  } catch {
    return undefined
  }
}

function sortKeys(all: PlainObject): FrontMatter {
  const front: FrontMatter = { other: {} }
  for (const [name, value] of Object.entries(all)) if (!setKnown(front, name, value)) front.other[name] = value
  return front
}

/** Whether the key has a meaning and its value the type that goes with it. */
function setKnown(front: FrontMatter, name: string, value: PlainValue): boolean {
  switch (name) {
    case 'description':
    case 'icon':
    case 'if':
      if (typeof value !== 'string') return false
      front[name] = value
      return true
    case 'hidden':
      if (typeof value !== 'boolean') return false
      front.hidden = value
      return true
    case 'coverY':
      if (typeof value !== 'number') return false
      front.coverY = value
      return true
    case 'vars':
    case 'layout':
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
      front[name] = value
      return true
    case 'cover':
    case 'tags':
      front[name] = value
      return true
    default:
      return false
  }
}

/** The front matter with its fences, or nothing when there is none. */
export function printFrontMatter(front: FrontMatter | undefined): string {
  if (front === undefined) return ''
  const { other, ...known } = front
  const all = { ...known, ...other }
  if (Object.keys(all).length === 0) return ''
  return `---\n${printYaml(all)}---\n\n`
}

/** YAML as people write it, long texts folded; where reading it would not give the same again, with every text quoted. */
export function printYaml(value: PlainObject): string {
  const document = new Document(value, { schema: 'core' })
  let isOdd = false
  visit(document, {
    Scalar(key, node) {
      if (typeof node.value !== 'string') return
      if (/^\s|\s$|[\n\u0085\u2028\u2029]/.test(node.value)) isOdd = true
      // A long text is folded below its key, where it can be read and compared line by line.
      if (key !== 'key' && isScalar(node) && node.value.length > 70) node.type = 'BLOCK_FOLDED'
    },
  })
  const printed = document.toString({ lineWidth: 80, singleQuote: true })
  if (!isOdd || isSame(printed, value)) return printed
  const quoted = new Document(value, { schema: 'core' })
  return quoted.toString({ lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', blockQuote: false })
}

const isSame = (printed: string, value: PlainObject): boolean =>
  JSON.stringify(yamlValue(printed)) === JSON.stringify(value)
