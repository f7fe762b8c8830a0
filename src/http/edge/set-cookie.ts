/** The one place that writes `Set-Cookie`: no script reads our cookies, and no other site's form sends them. */

export interface NewCookie {
  name: string
  value: string
  /** An address of ours: the cookie goes along with it and what stands below, and only over https where it is https. */
  root: string
  /** Until when, as a time or in so many seconds; without either, until the browser is closed. */
  expires?: string | undefined
  seconds?: number | undefined
}

export function setCookie({ name, value, root, expires, seconds }: NewCookie): string {
  const { pathname, protocol } = new URL(root)
  return [
    `${name}=${encodeURIComponent(value)}`,
    `Path=${pathname}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(protocol === 'https:' ? ['Secure'] : []),
    ...(expires === undefined ? [] : [`Expires=${new Date(expires).toUTCString()}`]),
    ...(seconds === undefined ? [] : [`Max-Age=${Math.max(0, Math.floor(seconds))}`]),
  ].join('; ')
}
