/** The switch between light and dark, and the banner that a reader has closed. */
import { all, from, memory, one } from './dom.ts'

const root = document.documentElement

export function startTheme(): void {
  document.addEventListener('click', (event) => {
    if (from(event, '[data-theme-toggle]')) toggle()
    if (from(event, '[data-dismiss]')) dismiss()
  })
  hideClosedBanner()
}

function toggle(): void {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  const now = root.dataset.theme === 'system' ? system : root.dataset.theme
  const next = now === 'dark' ? 'light' : 'dark'
  root.dataset.theme = next
  memory.write('theme', next)
  // The browser's own bar takes the colour of the header as it now is.
  const header = one('.top')
  const color = header === null ? '' : getComputedStyle(root).getPropertyValue('--header').trim()
  for (const meta of all<HTMLMetaElement>('meta[name="theme-color"]')) if (color !== '') meta.content = color
}

/** A banner is known by its words: another one shows again. */
const bannerKey = (): string => (one('[data-banner] p')?.textContent ?? '').slice(0, 200)

function dismiss(): void {
  memory.write('banner', bannerKey())
  hideClosedBanner()
}

function hideClosedBanner(): void {
  const banner = one('[data-banner]')
  if (banner !== null && memory.read('banner') === bannerKey()) banner.hidden = true
}
