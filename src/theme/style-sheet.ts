/**
 * The style sheet of one site: its variables, its fonts, then the common rules. One file under a name made of its
 * content, so that a page needs one request for its looks and a browser keeps it for ever.
 */
import type { Customization } from '../core/customization/shape.ts'
import { codeRules } from './code-style.ts'
import { chooseFont } from './fonts.ts'
import { type Mode, paletteOf } from './palette.ts'

export interface SiteStyle {
  css: string
  /** Font files that the first screen needs. */
  preload: string[]
  /** The colour of the browser's own bar. */
  themeColor: Record<Mode, string>
}

/**
 * `base` is the common CSS as built, `fonts` the address of the vendored fonts with a trailing slash. Where it is laid over
 * the style sheet of the same site as it was, it says what that one may have said otherwise.
 */
export function siteStyle(
  customization: Customization,
  { base, fonts, isOverOthers }: { base: string; fonts: string; isOverOthers?: boolean },
): SiteStyle {
  const { styling } = customization
  const text = chooseFont(styling.font, 'text', fonts)
  const code = chooseFont(styling.monospaceFont, 'code', fonts)
  const heading = styling.headingFont ? chooseFont(styling.headingFont, 'text', fonts) : undefined
  const light = paletteOf(customization, 'light')
  const dark = paletteOf(customization, 'dark')
  const shape = {
    ...corners[styling.corners],
    ...(styling.depth === 'flat' ? flatDepth : {}),
    'font-text': text.stack,
    'font-code': code.stack,
    'font-title': heading?.stack ?? 'var(--font-text)',
  }
  const faces = new Set([text.css, code.css, heading?.css ?? ''])
  const darkRules = `color-scheme:dark;${variables(dark)}${styling.depth === 'flat' ? '' : darkDepth}`
  return {
    css: [
      ...faces,
      `:root{color-scheme:light;${variables(shape)}${variables(light)}${styling.depth === 'flat' ? '' : lightDepth}}`,
      `:root[data-theme=dark]{${darkRules}}`,
      `@media screen and (prefers-color-scheme:dark){:root[data-theme=system]{${darkRules}}}`,
      base,
      codeRules(customization, 'light', ':root', isOverOthers),
      codeRules(customization, 'dark', ':root[data-theme=dark]', isOverOthers),
      ...systemRules(codeRules(customization, 'dark', ':root[data-theme=system]', isOverOthers)),
    ].join('\n'),
    preload: [text.preload].filter((file) => file !== undefined),
    themeColor: { light: light.header ?? '#ffffff', dark: dark.header ?? '#000000' },
  }
}

const systemRules = (rules: string): string[] =>
  rules === '' ? [] : [`@media screen and (prefers-color-scheme:dark){${rules}}`]

const corners = {
  straight: { 'r-1': '0px', 'r-2': '0px', 'r-3': '0px', 'r-full': '0px' },
  rounded: { 'r-1': '5px', 'r-2': '8px', 'r-3': '12px', 'r-full': '8px' },
  circular: { 'r-1': '8px', 'r-2': '14px', 'r-3': '20px', 'r-full': '99px' },
}
const flatDepth = { 'shadow-1': 'none', 'shadow-2': 'none', 'shadow-3': '0 0 0 1px var(--line)' }
const lightDepth =
  '--shadow-1:0 1px 2px rgb(15 20 40/.05);--shadow-2:0 2px 4px rgb(15 20 40/.04),0 8px 24px -6px rgb(15 20 40/.1);--shadow-3:0 0 0 1px rgb(15 20 40/.06),0 8px 16px -4px rgb(15 20 40/.1),0 24px 64px -12px rgb(15 20 40/.22)'
const darkDepth =
  '--shadow-1:0 1px 2px rgb(0 0 0/.3);--shadow-2:0 2px 4px rgb(0 0 0/.2),0 8px 24px -6px rgb(0 0 0/.45);--shadow-3:0 0 0 1px var(--line),0 24px 64px -12px rgb(0 0 0/.7)'

function variables(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value};`)
    .join('')
}
