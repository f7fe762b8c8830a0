/**
 * From the colours of a customization to the colours of a page: one palette for light, one for dark.
 *
 * 1. Dark is computed as a scale of its own from the owner's dark colours, never by turning light around.
 * 2. Every colour that text takes is solved against every ground it can stand on: `textPairs` lists them, and a test
 *    holds all of them to 4.5:1 for any colours an owner can choose.
 * 3. Colours are plain hexadecimals, so that what was computed is what is shown.
 */

import { defaultCustomization } from '../core/customization/complete.ts'
import type { Customization, ThemePair } from '../core/customization/shape.ts'
import { blend, contrast, inkOn, type Oklch, parseColor, readable, toHex } from './oklch.ts'

export type Mode = 'light' | 'dark'
export type Palette = Record<string, string>

const signals = ['info', 'success', 'warning', 'danger'] as const
/** Hues of the named text colours, in OKLCH degrees. */
const namedHues = {
  red: 25,
  orange: 55,
  yellow: 90,
  green: 150,
  cyan: 210,
  blue: 255,
  violet: 290,
  purple: 310,
  pink: 350,
}
/** Hue and chroma of the parts of code; punctuation and plain names stay neutral. */
const syntaxHues = {
  keyword: [305, 0.17],
  string: [152, 0.13],
  number: [45, 0.14],
  function: [262, 0.16],
  type: [205, 0.11],
  tag: [18, 0.16],
  attribute: [75, 0.11],
  inserted: [150, 0.13],
  deleted: [25, 0.17],
} as const

type Steps = Record<
  'ground' | 'raised' | 'soft' | 'hover' | 'line' | 'strong' | 'faint' | 'quiet' | 'text' | 'title',
  number
>
const lightSteps: Steps = {
  ground: 1,
  raised: 1,
  soft: 0.976,
  hover: 0.958,
  line: 0.925,
  strong: 0.86,
  faint: 0.56,
  quiet: 0.46,
  text: 0.31,
  title: 0.21,
}
const darkSteps: Steps = {
  ground: 0.178,
  raised: 0.212,
  soft: 0.208,
  hover: 0.252,
  line: 0.282,
  strong: 0.37,
  faint: 0.64,
  quiet: 0.74,
  text: 0.87,
  title: 0.965,
}

export function paletteOf(customization: Customization, mode: Mode): Palette {
  const { styling } = customization
  const primary = colorOf(styling.primaryColor, mode, defaultCustomization.styling.primaryColor)
  const tint = styling.tint === undefined ? undefined : colorOf(styling.tint.color, mode, styling.primaryColor)
  const palette = neutrals({
    mode,
    theme: styling.theme,
    hue: (tint ?? primary).h,
    chroma: neutralChroma(customization, primary, tint),
  })
  Object.assign(palette, accents('accent', primary, palette, mode))
  for (const name of signals) {
    const given = styling[`${name}Color`]
    Object.assign(
      palette,
      accents(name, colorOf(given, mode, defaultCustomization.styling[`${name}Color`]), palette, mode),
    )
  }
  Object.assign(palette, syntax(palette, mode))
  Object.assign(palette, named(palette, mode))
  // Small print and text are solved last, because the tinted grounds they may stand on are known only now.
  solveNeutralText(palette, mode)
  Object.assign(palette, headerColors(customization, palette, mode))
  return palette
}

/** Which text colour stands on which ground. */
export function textPairs(palette: Palette): [text: string, ground: string][] {
  const pairs: [string, string][] = []
  const grounds = groundsOf(palette)
  for (const text of ['title', 'text', 'quiet', 'faint', 'accent-text'])
    for (const ground of grounds) pairs.push([text, ground])
  for (const name of ['accent', ...signals]) {
    pairs.push(
      [`on-${name}`, name],
      [`${name}-text`, 'ground'],
      [`${name}-text`, `${name}-soft`],
      [`${name}-text`, 'soft'],
    )
  }
  for (const name of Object.keys(syntaxHues)) pairs.push([`code-${name}`, 'soft'], [`code-${name}`, 'code-mark'])
  for (const name of Object.keys(namedHues)) {
    pairs.push(['text', `back-${name}`])
    for (const ground of [...grounds, ...Object.keys(namedHues).map((other) => `back-${other}`)])
      pairs.push([`text-${name}`, ground])
  }
  pairs.push(
    ['header-text', 'header'],
    ['header-quiet', 'header'],
    ['header-quiet', 'header-field'],
    ['header-text', 'header-field'],
  )
  return pairs
}

function groundsOf(palette: Palette): string[] {
  const fixed = ['ground', 'raised', 'soft', 'hover', 'side', 'code-mark', 'accent-soft']
  return [...fixed, ...signals.map((name) => `${name}-soft`)].filter((name) => name in palette)
}

function neutralChroma(customization: Customization, primary: Oklch, tint: Oklch | undefined): number {
  if (tint !== undefined) return Math.min(0.028, tint.c * 0.2)
  const strong = customization.styling.theme === 'muted' || customization.styling.background === 'match'
  return Math.min(strong ? 0.011 : 0.006, primary.c * 0.12)
}

function neutrals(of: { mode: Mode; theme: string; hue: number; chroma: number }): Palette {
  const steps = of.mode === 'light' ? lightSteps : darkSteps
  const at = (l: number, c = of.chroma): string => toHex({ l, c, h: of.hue })
  const muted = of.theme === 'muted'
  // The muted theme swaps the grounds: the page is tinted and what lies on it is bright.
  const ground = muted && of.mode === 'light' ? at(0.972, of.chroma) : at(steps.ground)
  return {
    ground,
    raised: at(steps.raised),
    soft: muted && of.mode === 'light' ? at(0.952) : at(steps.soft),
    hover: muted && of.mode === 'light' ? at(0.934) : at(steps.hover),
    side: muted && of.mode === 'light' ? at(0.952) : at(of.mode === 'light' ? 0.98 : 0.2),
    line: at(muted && of.mode === 'light' ? 0.9 : steps.line, of.chroma * 1.1),
    strong: at(steps.strong, of.chroma * 1.4),
    faint: at(steps.faint, of.chroma * 2),
    quiet: at(steps.quiet, of.chroma * 2),
    text: at(steps.text, of.chroma * 2),
    title: at(steps.title, of.chroma * 2),
  }
}

/** A colour as a fill with ink on it, as text, as a tint to stand on, and as a line. */
function accents(name: string, color: Oklch, palette: Palette, mode: Mode): Palette {
  const ground = read(palette, 'ground')
  const fill = toHex(color)
  const tinted = mode === 'light' ? 0.08 : 0.13
  // A fill that can hardly be told from the page would make a button invisible.
  const solid =
    contrast(fill, ground) < 1.15 ? toHex({ ...color, l: mode === 'light' ? color.l - 0.15 : color.l + 0.2 }) : fill
  const soft = blend({ ground, over: solid, amount: tinted })
  const grounds = [
    ground,
    read(palette, 'raised'),
    read(palette, 'soft'),
    read(palette, 'hover'),
    read(palette, 'side'),
    soft,
  ]
  return {
    [name]: solid,
    [`on-${name}`]: inkOn(solid),
    [`${name}-soft`]: soft,
    [`${name}-line`]: blend({ ground, over: solid, amount: mode === 'light' ? 0.28 : 0.36 }),
    [`${name}-text`]: readable(color, { grounds, toward: mode === 'light' ? 0 : 1 }),
  }
}

function syntax(palette: Palette, mode: Mode): Palette {
  const soft = read(palette, 'soft')
  const highlight = blend({ ground: soft, over: read(palette, 'accent'), amount: mode === 'light' ? 0.09 : 0.16 })
  const found: Palette = { 'code-mark': highlight }
  for (const [name, [h, c]] of Object.entries(syntaxHues)) {
    const start = { l: mode === 'light' ? 0.52 : 0.79, c: mode === 'light' ? c : c * 0.7, h }
    found[`code-${name}`] = readable(start, { grounds: [soft, highlight], toward: mode === 'light' ? 0 : 1 })
  }
  return found
}

function named(palette: Palette, mode: Mode): Palette {
  const ground = read(palette, 'ground')
  const found: Palette = {}
  for (const [name, h] of Object.entries(namedHues)) {
    const solid = toHex({ l: mode === 'light' ? 0.65 : 0.7, c: 0.17, h })
    found[`back-${name}`] = blend({ ground, over: solid, amount: mode === 'light' ? 0.16 : 0.24 })
  }
  // A writer may lay any of the colours on any of the grounds.
  const grounds = [...Object.values(found), ...groundsOf(palette).map((name) => read(palette, name))]
  for (const [name, h] of Object.entries(namedHues)) {
    const start = { l: mode === 'light' ? 0.55 : 0.78, c: mode === 'light' ? 0.17 : 0.12, h }
    found[`text-${name}`] = readable(start, { grounds, toward: mode === 'light' ? 0 : 1 })
  }
  return found
}

function solveNeutralText(palette: Palette, mode: Mode): void {
  const grounds = [...groundsOf(palette), ...Object.keys(namedHues).map((name) => `back-${name}`)].map((name) =>
    read(palette, name),
  )
  const toward = mode === 'light' ? 0 : 1
  for (const name of ['faint', 'quiet', 'text', 'title']) palette[name] = solveHex(read(palette, name), grounds, toward)
  palette['accent-text'] = solveHex(
    read(palette, 'accent-text'),
    groundsOf(palette).map((name) => read(palette, name)),
    toward,
  )
}

function solveHex(hex: string, grounds: readonly string[], toward: 0 | 1): string {
  const color = parseColor(hex)
  return color === undefined ? hex : readable(color, { grounds, toward })
}

function headerColors(customization: Customization, palette: Palette, mode: Mode): Palette {
  const { header, styling } = customization
  const preset =
    header.preset === undefined || header.preset === 'default'
      ? styling.theme === 'bold'
        ? 'bold'
        : 'default'
      : header.preset
  if (preset === 'bold') return filledHeader(read(palette, 'accent'))
  if (preset === 'contrast') return filledHeader(mode === 'light' ? read(palette, 'title') : read(palette, 'text'))
  if (preset === 'custom' && header.backgroundColor !== undefined) {
    const ground = toHex(colorOf(header.backgroundColor, mode, styling.primaryColor))
    const colors = filledHeader(ground)
    const link = header.linkColor === undefined ? undefined : parseColor(header.linkColor[mode])
    if (link === undefined) return colors
    const toward = inkOn(ground) === '#ffffff' ? 1 : 0
    const text = readable(link, { grounds: [ground, read(colors, 'header-field')], toward })
    return { ...colors, 'header-text': text, 'header-quiet': text }
  }
  return {
    header: read(palette, 'ground'),
    'header-text': read(palette, 'title'),
    'header-quiet': read(palette, 'quiet'),
    'header-mark': read(palette, 'accent-text'),
    'header-line': read(palette, 'line'),
    'header-field': read(palette, styling.theme === 'muted' ? 'raised' : 'soft'),
  }
}

/** A header with a colour of its own: everything on it is its ink, softened only as far as it stays readable. */
function filledHeader(ground: string): Palette {
  const ink = inkOn(ground)
  // Lighter than the header in either case: a darker field looks dirty on a bright colour.
  const field = ink === '#000000' ? blend({ ground, over: '#ffffff', amount: 0.4 }) : softest(ground, ink, 0.14, 0)
  const quiet = softest(ink, ground, 0.22, 0, [ground, field])
  return {
    header: ground,
    'header-text': ink,
    'header-quiet': quiet,
    'header-mark': ink,
    'header-line': blend({ ground, over: ink, amount: 0.12 }),
    'header-field': field,
  }
}

/** `from` with as much of `over` as leaves it readable: on the grounds given, or under the ink laid over it. */
function softest(from: string, over: string, most: number, least: number, grounds?: readonly string[]): string {
  for (let amount = most; amount > least; amount -= 0.01) {
    const mixed = blend({ ground: from, over, amount })
    if ((grounds ?? [over]).every((ground) => contrast(mixed, ground) >= 4.5)) return mixed
  }
  return from
}

function colorOf(pair: ThemePair, mode: Mode, otherwise: ThemePair): Oklch {
  return parseColor(pair[mode]) ?? parseColor(otherwise[mode]) ?? { l: 0.5, c: 0, h: 0 }
}

function read(palette: Palette, name: string): string {
  return palette[name] ?? '#808080'
}
