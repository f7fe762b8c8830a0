/** A question with the same answer for a whole turn of the event loop. */

/**
 * Asked once for all requests that one turn of the event loop brings. They had all arrived before the turn began, so that
 * none of them can know of a commit that came later.
 */
export function oncePerTurn<T>(ask: () => T): () => T {
  let known: { value: T } | undefined
  const forget = (): void => {
    known = undefined
  }
  return () => {
    if (known === undefined) {
      known = { value: ask() }
      setImmediate(forget)
    }
    return known.value
  }
}
