/**
 * Runs before the first paint and before the app's own script is there: the scheme and the language that this person chose
 * on this device, and the requests that the first screen cannot do without. `session/first-answers.ts` hands them on.
 */
const root = document.documentElement

root.dataset.theme = localStorage.getItem('lectern-theme') ?? 'system'
root.lang = (localStorage.getItem('lectern-language') ?? navigator.language).startsWith('de') ? 'de' : 'en'

const mount = root.dataset.mount ?? ''
const answers = new Map<string, Promise<Response>>()
globalThis.lecternAnswers = answers

const urlOf = (path: string): string => `${location.origin}${mount}/v1${path}`

function begin(path: string): Promise<Response> {
  const url = urlOf(path)
  const answer = fetch(url, { headers: { accept: 'application/json', 'x-lectern-app': '1' } })
  // Whoever takes the answer is told of its failure.
  answer.catch(() => undefined)
  answers.set(url, answer)
  return answer
}

/** The pages of a space or of a change request, and the one page at the revision that both of them have now. */
async function beginContent(of: Promise<Response>, space: string, page: string | undefined, request: boolean) {
  const answer = await of
  if (!answer.ok) return
  const { id, revision }: { id: string; revision: string } = await answer.clone().json()
  if (request) {
    // The address has its number, everything after it goes by its id.
    answers.set(urlOf(`${space}/change-requests/${id}`), of)
    begin(`${space}/change-requests/${id}/content/pages?fields=tree`)
  }
  if (page !== undefined) begin(`${space}/revisions/${revision}/page/${page}?format=document&pages=false`)
}

const [, spaceId, number, page] =
  /^\/s\/([^/]+)(?:\/c\/([^/]+)(?:\/edit)?)?(?:\/p\/([^/]+))?/.exec(location.pathname.slice(`${mount}/app`.length)) ??
  []

begin('/user')
begin('/orgs?limit=200')
if (spaceId !== undefined) {
  const space = `/spaces/${spaceId}`
  const asked = begin(space)
  if (number === undefined) begin(`${space}/content/pages?fields=tree`)
  const of = number === undefined ? asked : begin(`${space}/change-requests/${number}`)
  beginContent(of, space, page, number !== undefined).catch(() => undefined)
}

export {}
