/**
 * How a site is to look, as its owner set it: the fields and values of the API's customization object, and the look of
 * a site nobody has customized. A stored object may lack fields that were added later, so that readers of one go
 * through `completeCustomization`, which fills every gap from the default.
 */
import type { ContentRef } from './document/tree/nodes.ts'

export const locales = ['en', 'fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru'] as const
export type Locale = (typeof locales)[number]

export type ThemePair = { light: string; dark: string }
export type LinkTarget = ContentRef | null
export type CustomFont = {
  id: string
  custom: true
  fontFamily: string
  fontFaces: { weight: number; sources: { url: string; format?: 'woff2' | 'woff' }[] }[]
}
export type FooterLink = { title: string; to: LinkTarget }
export type HeaderLink = {
  title: string
  style?: 'link' | 'button-primary' | 'button-secondary'
  to: LinkTarget
  links?: FooterLink[]
  condition?: string
}

export interface Styling {
  theme: 'clean' | 'muted' | 'bold' | 'gradient'
  primaryColor: ThemePair
  infoColor: ThemePair
  successColor: ThemePair
  warningColor: ThemePair
  dangerColor: ThemePair
  tint?: { color: ThemePair }
  corners: 'straight' | 'rounded' | 'circular'
  depth: 'subtle' | 'flat'
  links: 'default' | 'accent'
  font: string | CustomFont
  headingFont?: string | CustomFont | null
  monospaceFont: string | CustomFont
  background?: 'plain' | 'match'
  icons: 'regular' | 'solid' | 'duotone' | 'light' | 'thin'
  sidebar: { background: 'default' | 'filled'; list: 'default' | 'pill' | 'line' }
  search: 'prominent' | 'subtle'
}

export interface Customization {
  title?: string
  styling: Styling
  internationalization: { locale: Locale }
  favicon: { icon?: ThemePair; emoji?: string }
  header: {
    preset?: 'default' | 'bold' | 'contrast' | 'custom' | 'none'
    backgroundColor?: ThemePair
    linkColor?: ThemePair
    logo?: ThemePair
    links: HeaderLink[]
  }
  footer: { logo?: ThemePair; groups: { title: string; links: FooterLink[] }[]; copyright?: string }
  announcement?: {
    enabled: boolean
    message: string
    link?: { title: string; to: LinkTarget }
    style: 'info' | 'warning' | 'danger' | 'success'
  }
  /** `toggeable` is the API's spelling. */
  themes: { default: 'light' | 'dark' | 'system'; toggeable: boolean }
  pdf: { enabled: boolean }
  feedback: { enabled: boolean }
  ai: { mode: 'none' | 'search' | 'assistant' }
  advancedCustomization: { enabled: boolean }
  git: { showEditLink: boolean }
  pageActions?: { externalAI?: boolean; markdown: boolean }
  externalLinks: { target: 'self' | 'blank' }
  pagination: { enabled: boolean }
  trademark: { enabled: boolean }
  privacyPolicy: { url?: string }
  socialPreview: { url?: string }
  socialAccounts?: { platform: string; handle: string; display?: { footer?: boolean; header?: boolean } }[]
  insights: { trackingCookie: boolean }
}

export const defaultCustomization: Customization = {
  styling: {
    theme: 'clean',
    primaryColor: { light: '#3b5bdb', dark: '#8da2fb' },
    infoColor: { light: '#3b82f6', dark: '#60a5fa' },
    successColor: { light: '#16a34a', dark: '#4ade80' },
    warningColor: { light: '#d97706', dark: '#fbbf24' },
    dangerColor: { light: '#dc2626', dark: '#f87171' },
    corners: 'rounded',
    depth: 'subtle',
    links: 'default',
    font: 'Inter',
    monospaceFont: 'JetBrainsMono',
    background: 'plain',
    icons: 'regular',
    sidebar: { background: 'default', list: 'default' },
    search: 'prominent',
  },
  internationalization: { locale: 'en' },
  favicon: {},
  header: { preset: 'default', links: [] },
  footer: { groups: [] },
  themes: { default: 'system', toggeable: true },
  pdf: { enabled: false },
  feedback: { enabled: true },
  ai: { mode: 'none' },
  advancedCustomization: { enabled: false },
  git: { showEditLink: false },
  pageActions: { externalAI: false, markdown: true },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  insights: { trackingCookie: false },
}

type Parts = Pick<Customization, 'styling' | 'header' | 'footer' | 'themes'>
export type CustomizationInput = Partial<Omit<Customization, keyof Parts>> & {
  [Part in Exclude<keyof Parts, 'styling'>]?: Partial<Parts[Part]>
} & { styling?: Partial<Styling> }

/** The customization with every missing field taken from the default. Lists and colours are taken whole. */
export function completeCustomization(given: CustomizationInput = {}): Customization {
  const base = defaultCustomization
  return {
    ...base,
    ...filled(given),
    styling: { ...base.styling, ...filled(given.styling ?? {}) },
    header: { ...base.header, ...filled(given.header ?? {}) },
    footer: { ...base.footer, ...filled(given.footer ?? {}) },
    themes: { ...base.themes, ...filled(given.themes ?? {}) },
  }
}

/** The object without the fields that have no value, which a spread would copy over the default's. */
function filled<Value extends object>(value: Value): Value {
  const copy = { ...value }
  for (const name of Object.keys(copy)) {
    const part = Reflect.get(copy, name)
    if (part === undefined || part === null) Reflect.deleteProperty(copy, name)
  }
  return copy
}
