/** The colours of code, where an owner chose other ones than the site's own: for plain code and for API references. */
import type { CodeTheme } from '../core/customization/code-themes.ts'
import type { Customization } from '../core/customization/shape.ts'
import { codeColors, themeColors } from './code-themes.ts'
import { type Mode, paletteOf } from './palette.ts'

type Colors = Readonly<Record<string, string>>

/**
 * Rules for this mode, below whatever says that the mode is on; none where all code has the site's own colours, unless they
 * are laid over rules that say otherwise.
 */
export function codeRules(customization: Customization, mode: Mode, below: string, isOverOthers = false): string {
  const { default: plain, openapi } = customization.styling.codeTheme
  const rule = (selector: string, themes: typeof plain): string =>
    `${below} ${selector}{${declarations(colorsOf(customization, themes[mode]))}}`
  if (!isOverOthers && isOwn(plain) && isOwn(openapi)) return ''
  return `${rule('.code', plain)}${rule('.spec .code', openapi)}`
}

const isOwn = ({ light, dark }: { light: CodeTheme; dark: CodeTheme }): boolean =>
  light === 'default-light' && dark === 'default-dark'

function colorsOf(customization: Customization, theme: CodeTheme): Colors {
  if (theme === 'default-light' || theme === 'monochrome-light') return ownColors(customization, theme, 'light')
  if (theme === 'default-dark' || theme === 'monochrome-dark') return ownColors(customization, theme, 'dark')
  const values = themeColors[theme].split(' ')
  const {
    ground = '',
    text = '',
    comment = '',
    ...kinds
  } = Object.fromEntries(codeColors.map((name, at) => [name, values[at] ?? '']))
  return { soft: ground, text, faint: comment, quiet: text, ...blendHighlights(ground, text), ...prefixed(kinds) }
}

function ownColors(customization: Customization, theme: CodeTheme, mode: Mode): Colors {
  const palette: Colors = paletteOf(customization, mode)
  const { soft = '', text = '', faint = '', quiet = '' } = palette
  const names = Object.keys(palette).filter((name) => name.startsWith('code-') && name !== 'code-mark')
  const isPlain = theme.startsWith('monochrome-')
  const kinds = names.map((name) => [name, isPlain ? text : (palette[name] ?? text)])
  return { soft, text, faint, quiet, ...blendHighlights(soft, text), ...Object.fromEntries(kinds) }
}

const blendHighlights = (ground: string, text: string): Colors => ({
  'code-mark': `color-mix(in srgb,${text} 12%,${ground})`,
  line: `color-mix(in srgb,${text} 14%,${ground})`,
})

const prefixed = (kinds: Colors): Colors =>
  Object.fromEntries(Object.entries(kinds).map(([name, color]) => [`code-${name}`, color]))

const declarations = (colors: Colors): string =>
  Object.entries(colors)
    .map(([name, value]) => `--${name}:${value};`)
    .join('')
