/** What only one tab of a browser does at a time, by the locks of the browser, which plain HTTP has on localhost only. */
const locksOf = ({ locks }: { locks?: LockManager }): LockManager | undefined => locks

/** Whether tabs can agree on one of them; otherwise each does all itself. */
export const canShare = (): boolean => locksOf(navigator) !== undefined

export function beTheOnlyTab(name: string, begin: () => void): () => void {
  const locks = locksOf(navigator)
  if (locks === undefined) {
    begin()
    return () => undefined
  }
  const calledOff = new AbortController()
  let end = (): void => calledOff.abort()
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      end = resolve
      begin()
    })
  // Whoever stops waiting hears of that as an error.
  locks.request(name, { signal: calledOff.signal }, hold).catch(() => undefined)
  return () => end()
}
