/** Runs it when the browser has nothing better to do, such as showing the first screen; answers with how to take that back. */
export function whenIdle(run: () => void): () => void {
  // Safari does not tell when it is idle.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 200)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(run, { timeout: 1_000 })
  return () => cancelIdleCallback(request)
}
