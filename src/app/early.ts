/**
 * Stands in the page itself, and runs before the first paint and before the app's own script is there: the scheme and the
 * language that this person chose on this device, and the requests that the first screen cannot do without.
 * `session/first-answers.ts` hands them on.
 */
const root = document.documentElement

root.dataset.theme = localStorage.getItem('lectern-theme') ?? 'system'
root.lang = (localStorage.getItem('lectern-language') ?? navigator.language).startsWith('de') ? 'de' : 'en'

/** Those that the page names for this address; the browser has begun them while it read the page. */
const answers = new Map<string, Promise<Response>>()
globalThis.lecternAnswers = answers

for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=preload][as=fetch]')) {
  // Anything set here, a header too, would make it another request than the one that was begun.
  const answer = fetch(href)
  // Whoever takes the answer is told of its failure.
  answer.catch(() => undefined)
  answers.set(href, answer)
}

export {}
