/** Text records of the domain name system, with a limit on the time that servers take to answer. */
import { Resolver } from 'node:dns/promises'

export function makeResolveTxt(): (name: string) => Promise<string[][]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 })
  return (name) => resolver.resolveTxt(name)
}
