/** The tokens of the app: those of a published site, with Lectern's own colours. Computed once, when the app is built. */
import { defaultCustomization } from '../core/customization/complete.ts'
import { siteStyle } from './style-sheet.ts'

const customization = {
  ...defaultCustomization,
  styling: { ...defaultCustomization.styling, primaryColor: { light: '#0f766e', dark: '#4fc7b8' } },
}

/** `fonts` is where the font files lie, with a trailing slash. */
export const appStyle = (fonts: string): string => siteStyle(customization, { base: '', fonts }).css
