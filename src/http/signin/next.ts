/** Where a sign-in leads: an address of ours, whatever was asked for. */
import type { Urls } from '../../core/urls.ts'
import { isBelow, mountOf } from '../mount.ts'

/** Path, query and fragment of an address of ours; the app where it is anything else. */
export function nextPath(wanted: unknown, urls: Pick<Urls, 'app'>): string {
  const mount = mountOf(urls)
  const home = `${mount}/app`
  if (typeof wanted !== 'string' || wanted.length > 2048 || !/^[\x21-\x7e]+$/.test(wanted)) return home
  const { origin } = new URL(urls.app)
  try {
    const url = new URL(wanted, origin)
    if (url.origin !== origin || url.username !== '' || url.password !== '') return home
    // Written anew from what was understood: no second reading of it can find another host.
    const path = `${url.pathname}${url.search}${url.hash}`
    return path.startsWith('//') || path.includes('\\') || !isBelow(url.pathname, mount) ? home : path
  } catch {
    return home
  }
}
