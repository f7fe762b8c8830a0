/**
 * The icons that people choose by name: the line drawings of published sites, so that app and site agree. They are loaded when
 * the first one is to be seen. Markup is taken apart here, because nothing may be written into a page as a string.
 */
export type Drawings = Readonly<Record<string, string>>
export type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>]

let drawings: Drawings | undefined
let loading: Promise<Drawings> | undefined

export const loadedDrawings = (): Drawings | undefined => drawings

export function loadDrawings(): Promise<Drawings> {
  loading ??= import('./icon-drawings.ts').then(({ default: all }) => {
    drawings = all
    return all
  })
  return loading
}

/** Names of other sets and with their prefixes are understood as on the site. */
const plainName = (name: string): string =>
  name
    .replace(/^(?:fa-)?(?:solid|regular|light|thin|duotone|brands)[ :/]+/, '')
    .replace(/^fa-/, '')
    .toLowerCase()

/** What an unknown name gets. */
const neutral = '<circle cx="12" cy="12" r="9"/>'

const tags = new Set(['path', 'circle', 'rect', 'line', 'polyline', 'polygon', 'ellipse'])

export function shapesOf(all: Drawings | undefined, name: string): Shape[] {
  const found = all?.[plainName(name)]
  const markup = (found?.startsWith('=') ? all?.[found.slice(1)] : found) ?? neutral
  return [...markup.matchAll(/<([a-z]+) ([^>]*?)\/>/g)].flatMap(([, tag = '', attributes = '']) => {
    if (!tags.has(tag)) return []
    const pairs = [...attributes.matchAll(/([a-z0-9]+)="([^"]*)"/g)]
    return [[tag, Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]))] as const]
  })
}
