/** Links to the accounts of a site's owner elsewhere, in the header or the footer. */
import type { Customization } from '../../core/customization/shape.ts'
import { type Html, html, nothing } from '../render/html.ts'
import { type Chrome, lead } from './chrome.ts'

type Account = Customization['socialAccounts'][number]

const at =
  (start: string) =>
  (handle: string): string =>
    `${start}${encodeURIComponent(handle)}`

const addresses: Readonly<Record<Account['platform'], (handle: string) => string>> = {
  twitter: at('https://x.com/'),
  instagram: at('https://instagram.com/'),
  facebook: at('https://facebook.com/'),
  linkedin: at('https://linkedin.com/company/'),
  github: at('https://github.com/'),
  discord: at('https://discord.gg/'),
  slack: (workspace) => `https://${encodeURIComponent(workspace)}.slack.com/`,
  youtube: at('https://youtube.com/@'),
  tiktok: at('https://tiktok.com/@'),
  reddit: at('https://reddit.com/r/'),
  bluesky: at('https://bsky.app/profile/'),
  // `name@host`: an account is on the server of somebody.
  mastodon: (handle) => {
    const [name = '', host = 'mastodon.social'] = handle.split('@')
    return `https://${encodeURIComponent(host)}/@${encodeURIComponent(name)}`
  },
  threads: at('https://threads.net/@'),
  medium: at('https://medium.com/@'),
}

export function renderSocial(chrome: Chrome, area: 'header' | 'footer'): Html {
  const accounts = chrome.frame.customization.socialAccounts.filter(({ display }) => display[area])
  if (accounts.length === 0) return nothing
  const links = accounts.map(({ platform, handle }) => {
    const href = addresses[platform](handle.replace(/^@/, ''))
    return html`<a class="icon-button" href="${href}" rel="noopener me" aria-label="${platform}: ${handle}">${lead(chrome, { icon: platform === 'twitter' ? 'x-twitter' : platform })}</a>`
  })
  return html`<span class="social">${links}</span>`
}
