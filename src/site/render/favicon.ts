/** The icon of a site that has none of its own: its emoji, or the first letter of its title on its colour. */
import type { Customization } from '../../core/customization/shape.ts'
import { paletteOf } from '../../theme/palette.ts'
import { html, print } from './html.ts'

export function faviconSvg(customization: Customization, title: string): string {
  const palette = paletteOf(customization, 'light')
  const { emoji } = customization.favicon
  if (emoji)
    return print(
      html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><text x="32" y="49" font-size="52" text-anchor="middle">${emoji}</text></svg>`,
    )
  const letter = Array.from(title.trim())[0]?.toUpperCase() ?? ''
  const radius = { straight: 0, rounded: 14, circular: 32 }[customization.styling.corners]
  return print(
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="${radius}" fill="${palette.accent}"/><text x="32" y="45" font-family="system-ui,sans-serif" font-size="36" font-weight="700" text-anchor="middle" fill="${palette['on-accent']}">${letter}</text></svg>`,
  )
}
