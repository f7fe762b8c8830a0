/**
 * YAML that strangers write, read in time that grows with its length. The library compares each key of a map with all others
 * and draws a picture of each mistake; here a key is looked up, and only the first mistake is told.
 */
import { isScalar, LineCounter, parseDocument, visit } from 'yaml'

/** The longest text that is read as YAML: a thousand redirects take a tenth of it. */
const maxYamlLength = 1024 * 1024

export type YamlRead = { value: unknown } | { problem: string; line?: number | undefined }

export interface YamlOptions {
  /** What can be read of a text with mistakes is taken; of a key that is there twice, the last value. */
  isLenient?: boolean
}

/** Its value, or what is wrong with it and on which line. A key that is there twice in one map is wrong. */
export function readYaml(source: string, { isLenient = false }: YamlOptions = {}): YamlRead {
  if (source.length > maxYamlLength) return { problem: `It is longer than ${maxYamlLength / 1024 / 1024} MiB` }
  try {
    const lineCounter = new LineCounter()
    const lineAt = (at: number | undefined) => (at === undefined || at < 0 ? undefined : lineCounter.linePos(at).line)
    const document = parseDocument(source, {
      schema: 'core',
      logLevel: 'silent',
      uniqueKeys: false,
      prettyErrors: false,
      lineCounter,
    })
    if (!isLenient) {
      const [error] = document.errors
      if (error) return { problem: firstLine(error.message), line: lineAt(error.pos[0]) }
      const twice = repeatedKey(document)
      if (twice) return { problem: 'Map keys must be unique', line: lineAt(twice.at) }
    }
    document.errors = []
    return { value: document.toJS({ maxAliasCount: 20 }) }
  } catch (error) {
    // Too many aliases, or nested deeper than the stack is.
    return { problem: error instanceof Error ? firstLine(error.message) : 'It is no YAML' }
  }
}

/** The value of YAML that has to be right; `undefined` for all other. */
export function yamlValue(source: string): unknown {
  const read = readYaml(source)
  return 'value' in read ? read.value : undefined
}

function repeatedKey(document: ReturnType<typeof parseDocument>): { at: number | undefined } | undefined {
  let found: { at: number | undefined } | undefined
  visit(document, {
    Map(_, map) {
      const names = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        if (names.has(key.value)) {
          found = { at: key.range?.[0] }
          return visit.BREAK
        }
        names.add(key.value)
      }
      return undefined
    },
  })
  return found
}

const firstLine = (message: string): string => message.split('\n', 1)[0] ?? ''
