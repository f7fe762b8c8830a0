/**
 * `LECTERN_URL` may have a path: then a proxy hands us a folder of its host. It may take the folder's name off each path or
 * leave it on; inside, paths are without it, and whatever we tell others has it.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Urls } from '../core/urls.ts'

/** The path of our own address, without a slash at its end: mostly nothing. */
export const mountOf = ({ app }: Pick<Urls, 'app'>): string => new URL(app).pathname.replace(/\/$/, '')

/** Hosts of sites have folders of their own, whatever those are called. */
export function withoutMount(urls: Pick<Urls, 'app'>, listener: RequestListener): RequestListener {
  const mount = mountOf(urls)
  if (mount === '') return listener
  const { host } = new URL(urls.app)
  return (request: IncomingMessage, response: ServerResponse) => {
    const { url = '/' } = request
    if (request.headers.host === host && isBelow(url, mount)) request.url = pathBelow(url, mount)
    return listener(request, response)
  }
}

export const isBelow = (path: string, prefix: string): boolean =>
  path.startsWith(prefix) && (path.length === prefix.length || /[/?]/.test(path.charAt(prefix.length)))

function pathBelow(url: string, mount: string): string {
  const rest = url.slice(mount.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}
