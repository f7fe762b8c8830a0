/**
 * Which of the things that are there comes again from where: the one that came from the same path before, else one whose
 * file is gone and that says the same, or nearly, as the file at a new path.
 */

export interface KnownThing {
  id: string
  path: string
  oid: string
  /** Its words, when they are needed to tell a renamed and edited file from a new one. */
  words?: () => Promise<ReadonlySet<string>>
}

export interface FoundThing {
  oid: string
  words?: () => ReadonlySet<string>
}

/** From this share of common words on, two texts are one that was edited. */
const similar = 0.5
/** Pairs of texts that are compared; a source in which more moved and changed at once is not worth guessing at. */
const mostPairs = 40_000

/** Ids of what is found, by path; a path that nothing is known of has none. */
export async function identify(
  found: ReadonlyMap<string, FoundThing>,
  known: readonly KnownThing[],
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const gone: KnownThing[] = []
  for (const thing of known) {
    if (found.has(thing.path) && !ids.has(thing.path)) ids.set(thing.path, thing.id)
    else gone.push(thing)
  }
  const fresh = new Set([...found.keys()].filter((path) => !ids.has(path)))
  matchEqual({ ids, fresh, gone, found })
  await matchSimilar({ ids, fresh, gone, found })
  return ids
}

interface Matching {
  ids: Map<string, string>
  fresh: Set<string>
  gone: KnownThing[]
  found: ReadonlyMap<string, FoundThing>
}

/** The same bytes elsewhere; of several, the one that keeps its name. */
function matchEqual({ ids, fresh, gone, found }: Matching): void {
  const byOid = new Map<string, KnownThing[]>()
  for (const thing of gone) {
    const same = byOid.get(thing.oid)
    if (same) same.push(thing)
    else byOid.set(thing.oid, [thing])
  }
  for (const path of fresh) {
    const candidates = byOid.get(found.get(path)?.oid ?? '') ?? []
    const thing = candidates.find((one) => nameOf(one.path) === nameOf(path)) ?? candidates[0]
    if (!thing) continue
    candidates.splice(candidates.indexOf(thing), 1)
    gone.splice(gone.indexOf(thing), 1)
    fresh.delete(path)
    ids.set(path, thing.id)
  }
}

async function matchSimilar({ ids, fresh, gone, found }: Matching): Promise<void> {
  if (fresh.size * gone.length > mostPairs) return
  const pairs: { path: string; thing: KnownThing; share: number }[] = []
  for (const thing of gone) {
    const before = await thing.words?.()
    if (!before || before.size < 5) continue
    for (const path of fresh) {
      const now = found.get(path)?.words?.()
      const share = now ? shareOf(before, now) : 0
      if (share >= similar) pairs.push({ path, thing, share })
    }
  }
  const used = new Set<string>()
  for (const { path, thing } of pairs.sort((a, b) => b.share - a.share)) {
    if (ids.has(path) || used.has(thing.id)) continue
    used.add(thing.id)
    ids.set(path, thing.id)
  }
}

export const wordsIn = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [])

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0
  for (const word of a) if (b.has(word)) common++
  return common / (a.size + b.size - common || 1)
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
