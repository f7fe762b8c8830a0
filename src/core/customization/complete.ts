/**
 * The customization of a site nobody has customized, and what fills the gaps of one that somebody has: what was stored
 * by an older version may lack fields that were added since, so that readers go through `completeCustomization`.
 */
import type { z } from 'zod'
import { actionsOf } from './page-actions.ts'
import type { Customization, CustomizationBody } from './shape.ts'

const ownCodeThemes = { light: 'default-light', dark: 'default-dark' } as const

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
    codeTheme: { default: ownCodeThemes, openapi: ownCodeThemes },
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
  pageActions: { externalAI: false, markdown: true, items: ['markdown'] },
  externalLinks: { target: 'self' },
  pagination: { enabled: true },
  trademark: { enabled: true },
  privacyPolicy: {},
  socialPreview: {},
  socialAccounts: [],
  insights: { trackingCookie: false },
  openapi: { tryIt: true },
}

type Given = z.output<typeof CustomizationBody>
type Parts = 'styling' | 'header' | 'footer' | 'themes'
export type CustomizationInput = Partial<Omit<Given, Parts>> & { [Part in Parts]?: Partial<Given[Part]> }

/** The customization with every missing field taken from the default. Lists and colours are taken whole. */
export function completeCustomization(given: CustomizationInput = {}): Customization {
  const base = defaultCustomization
  const header = { ...base.header, ...filled(given.header ?? {}) }
  return {
    ...base,
    ...filled(given),
    styling: { ...base.styling, ...filled(given.styling ?? {}) },
    header: { ...header, links: header.links.map((link) => ({ ...link, links: link.links ?? [] })) },
    footer: { ...base.footer, ...filled(given.footer ?? {}) },
    themes: { ...base.themes, ...filled(given.themes ?? {}) },
    socialAccounts: (given.socialAccounts ?? base.socialAccounts).map(({ display, ...account }) => ({
      ...account,
      display: { header: false, footer: true, ...display },
    })),
    // Older versions took what needs an assistant, which there is none of.
    ai: base.ai,
    ...actionsOf(given),
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
