/**
 * Runs before the first paint, so that a reader who chose a theme never sees the other one flash by. Everything else can
 * wait.
 */
const root = document.documentElement
if (/Mac|iPhone|iPad/.test(navigator.userAgent)) root.dataset.keys = 'mac'
try {
  const chosen = localStorage.getItem('theme')
  if (root.hasAttribute('data-toggle') && (chosen === 'light' || chosen === 'dark')) root.dataset.theme = chosen
} catch {
  // Storage can be forbidden; the site's own default then holds.
}
