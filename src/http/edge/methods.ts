/** The methods that an address takes, for 405: asked only when a request found no route. */
import type { FastifyInstance } from 'fastify'
import findMyWay, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way'

/** How addresses are read: by Fastify, for reads of the API, and here. */
export const routerOptions = { maxParamLength: 4096, ignoreTrailingSlash: true }

/** In the order in which they stand in `Allow`. */
const methods: readonly HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/**
 * Notes which routes Fastify is given from now on. What it returns tells the value of `Allow` at a path; undefined where
 * nothing is under any method.
 */
export function collectMethods(app: FastifyInstance): (path: string) => string | undefined {
  const router: Instance<HTTPVersion.V1> = findMyWay(routerOptions)
  app.addHook('onRoute', ({ method, url }) => {
    const taken = [method].flat()
    for (const one of methods) if (taken.includes(one)) router.on(one, url, () => undefined)
  })
  return (path) => {
    const taken = methods.filter((method) => router.find(method, path))
    // A browser may ask what it may send to any address of the API, also where nothing is.
    return taken.some((method) => method !== 'OPTIONS') ? taken.join(', ') : undefined
  }
}
