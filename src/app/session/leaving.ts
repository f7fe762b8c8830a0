/** Leaving the app on purpose: for the page of signing in, and after signing out. */

/** The path that Lectern is served under: mostly nothing. */
export const mount = document.documentElement.dataset.mount ?? ''

/** Unsaved words are written to the device within this time. */
const journalMilliseconds = 400

let isLeaving = false

// What is unsaved is on the device by then; the browser's own question would say otherwise.
addEventListener('beforeunload', (event) => isLeaving && event.stopImmediatePropagation(), true)

function leaveTo(path: string): void {
  if (isLeaving) return
  isLeaving = true
  location.assign(`${mount}${path}`)
}

/** To sign in, and back to exactly this address. */
export function goToSignIn(): void {
  const here = location.pathname + location.search + location.hash
  leaveTo(`/signin?next=${encodeURIComponent(here)}`)
}

/** The same, when what was just typed is on the device. */
export const signInAgain = (): void => void setTimeout(goToSignIn, journalMilliseconds)

export const goAfterSignOut = (): void => leaveTo('/signin?message=out')
