/**
 * Fonts: which of the vendored families a customization names, and the `@font-face` rules that load it from the site's
 * own host. A family nobody could vendor falls back to its nearest kin; a browser fetches only the subsets it meets.
 */
import manifest from '../../assets/site/fonts/fonts.json' with { type: 'json' }
import type { CustomFont } from '../core/customization/shape.ts'
import { safeUrl } from '../core/safe-url.ts'

interface Face {
  file: string
  subset: string
  weight: string
  style: string
  range?: string
}
interface Family {
  family: string
  category: string
  fallback?: { local: string; sizeAdjust: string; ascent: string; descent: string; lineGap: string }
  faces: Face[]
}
export interface FontChoice {
  /** The value of `font-family`. */
  stack: string
  /** The rules that load it. */
  css: string
  /** The file most pages need, worth a preload. */
  preload?: string
}

const families: Readonly<Record<string, Family>> = manifest
const kin: Readonly<Record<string, string>> = { ABCFavorit: 'Inter' }
const systemText = `ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Hiragino Sans","Microsoft YaHei",sans-serif,"Apple Color Emoji","Segoe UI Emoji","Noto Color Emoji"`
const systemCode = `ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace`

/** `base` is where the vendored files are served, with a trailing slash. */
export function chooseFont(font: string | CustomFont, use: 'text' | 'code', base: string): FontChoice {
  const system = use === 'text' ? systemText : systemCode
  if (typeof font !== 'string') return customFont(font, system)
  const name = kin[font] ?? font
  const family = Object.hasOwn(families, name) ? families[name] : undefined
  if (family === undefined) return { stack: system, css: '' }
  const stretched = family.fallback === undefined ? '' : `"${family.family} Fallback",`
  const first = family.faces.find((face) => face.subset === 'latin' && face.style === 'normal')
  return {
    stack: `"${family.family}",${stretched}${family.category === 'serif' && use === 'text' ? `Georgia,serif,${system}` : system}`,
    css: family.faces.map((face) => faceRule(family.family, face, base)).join('') + fallbackRule(family),
    ...(first === undefined ? {} : { preload: `${base}${first.file}` }),
  }
}

function faceRule(family: string, face: Face, base: string): string {
  const range = face.range === undefined ? '' : `;unicode-range:${face.range}`
  return `@font-face{font-family:"${family}";font-style:${face.style};font-weight:${face.weight};font-display:swap;src:url(${base}${face.file}) format("woff2")${range}}`
}

function fallbackRule({ family, fallback }: Family): string {
  if (fallback === undefined) return ''
  return `@font-face{font-family:"${family} Fallback";src:local("${fallback.local}");size-adjust:${fallback.sizeAdjust};ascent-override:${fallback.ascent};descent-override:${fallback.descent};line-gap-override:${fallback.lineGap}}`
}

/** An owner's own font. Its name and addresses are the owner's text, so that only plain characters pass into the CSS. */
function customFont(font: CustomFont, system: string): FontChoice {
  const family = font.fontFamily.replace(/[^\p{L}\p{N} _-]/gu, '').slice(0, 50)
  if (family === '') return { stack: system, css: '' }
  const rules = font.fontFaces.slice(0, 20).map(({ weight, sources }) => {
    const urls = sources.flatMap(({ url, format }) => {
      const safe = safeUrl(url)
      if (safe === undefined || /["'()\\\s<>]/.test(safe)) return []
      return [`url(${safe}) format("${format === 'woff' ? 'woff' : 'woff2'}")`]
    })
    const wanted = Math.min(1000, Math.max(1, Math.round(Number(weight)) || 400))
    return urls.length === 0
      ? ''
      : `@font-face{font-family:"${family}";font-weight:${wanted};font-display:swap;src:${urls.join(',')}}`
  })
  return { stack: `"${family}",${system}`, css: rules.join('') }
}
