/**
 * Icons by name. Each icon a page uses is drawn once, in a sprite at the page's end; where it stands there is only a
 * reference to it, so that a tree of a hundred pages with the same icon stays small.
 *
 * Names are Font Awesome's. `solid` takes its free solid drawings; the other styles take line drawings (Lucide, by a map
 * of names) with a stroke to match, because the free set has few outlines. A name nobody knows gets a neutral drawing.
 */
import type { Styling } from '../../core/customization/shape.ts'
import { type Html, html, trusted } from './html.ts'

export type IconStyle = Styling['icons']
type Drawing = readonly (string | number)[]
interface IconSets {
  line: Readonly<Record<string, string>>
  solid: Readonly<Record<string, Drawing>>
  brands: Readonly<Record<string, Drawing>>
}
/** The icons of one page: what it used so far, and how to draw them. */
export interface IconSheet {
  style: IconStyle
  used: Map<string, string>
}

let sets: IconSets | undefined
let loading: Promise<void> | undefined

/** Must have ended once before anything is drawn. */
export function loadIcons(): Promise<void> {
  loading ??= Promise.all([
    import('../../../assets/site/icons/line.json', { with: { type: 'json' } }),
    import('../../../assets/site/icons/solid.json', { with: { type: 'json' } }),
    import('../../../assets/site/icons/brands.json', { with: { type: 'json' } }),
  ]).then(([line, solid, brands]) => {
    sets = { line: line.default, solid: solid.default, brands: brands.default }
  })
  return loading
}

export function newIconSheet(style: IconStyle): IconSheet {
  return { style, used: new Map() }
}

/** An icon that an author or an owner named. */
export function icon(sheet: IconSheet, name: string): Html {
  const plain = name.replace(/^(?:fa-)?(?:solid|regular|light|thin|duotone|brands)[ :/]+/, '').replace(/^fa-/, '')
  return reference(sheet, `i-${plain.toLowerCase().replace(/[^a-z0-9-]/g, '') || 'none'}`, () =>
    authored(sheet.style, plain),
  )
}

/** An icon of our own interface; always a line drawing. */
export function uiIcon(sheet: IconSheet, name: string): Html {
  return reference(sheet, `u-${name}`, (id) => lineSymbol(id, lineOf(name) ?? neutral, 1.75, false))
}

/** A filled one. */
export function uiSolid(sheet: IconSheet, name: string): Html {
  return reference(sheet, `s-${name}`, (id) => filledSymbol(id, own(sets?.solid, name) ?? [512, 512, '']))
}

/** The drawings of all icons the page used; the browser script adds those of the pages that follow. */
export function sprite(sheet: IconSheet): Html {
  return html`<svg class="sprite" id="sprite" aria-hidden="true" width="0" height="0">${trusted([...sheet.used.values()].join(''))}</svg>`
}

function reference(sheet: IconSheet, id: string, draw: (id: string) => string | Authored): Html {
  if (!sheet.used.has(id)) {
    const drawn = draw(id)
    sheet.used.set(id, typeof drawn === 'string' ? drawn : drawn(id))
  }
  return trusted(`<svg class="icon" aria-hidden="true"><use href="#${id}"/></svg>`)
}

type Authored = (id: string) => string
const strokes = { regular: 1.75, light: 1.5, thin: 1.15, duotone: 1.75, solid: 2 } as const
const neutral = '<circle cx="12" cy="12" r="3.5"/>'

function authored(style: IconStyle, name: string): Authored {
  const brand = own(sets?.brands, name)
  const solid = own(sets?.solid, name)
  const line = lineOf(name)
  if (brand !== undefined && line === undefined) return (id) => filledSymbol(id, brand)
  if (style === 'solid' && solid !== undefined) return (id) => filledSymbol(id, solid)
  if (line !== undefined) return (id) => lineSymbol(id, line, strokes[style], style === 'duotone')
  if (solid !== undefined) return (id) => filledSymbol(id, solid)
  return (id) => lineSymbol(id, neutral, strokes[style], false)
}

function lineOf(name: string): string | undefined {
  const found = own(sets?.line, name)
  return found?.startsWith('=') ? own(sets?.line, found.slice(1)) : found
}

function lineSymbol(id: string, drawing: string, stroke: number, tinted: boolean): string {
  const fill = tinted ? 'fill="currentColor" fill-opacity=".16"' : 'fill="none"'
  return `<symbol id="${id}" viewBox="0 0 24 24" ${fill} stroke="currentColor" stroke-width="${stroke}" stroke-linecap="round" stroke-linejoin="round">${drawing}</symbol>`
}

function filledSymbol(id: string, [width, height, path]: Drawing): string {
  // Drawings differ in width; a square view with a little air makes them sit in a column.
  const [w, h] = [Number(width), Number(height)]
  const side = Math.max(w, h) * 1.12
  return `<symbol id="${id}" viewBox="${(w - side) / 2} ${(h - side) / 2} ${side} ${side}"><path fill="currentColor" d="${path}"/></symbol>`
}

function own<Value>(map: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined
}
