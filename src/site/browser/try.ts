/**
 * Calls an operation from the reader's browser: straight to the server, without cookies. What readers enter as a key or token
 * stays in the memory of this tab, so that the next operation has it too, and is gone with a reload: no storage holds it.
 */
import { all, from, make, one } from './dom.ts'

const longest = 200_000
const secrets = new Map<string, string>()

export function startTry(): void {
  document.addEventListener('toggle', (event) => fillSecrets(from(event, '[data-try]')), true)
  document.addEventListener('change', (event) => {
    const input = from<HTMLInputElement>(event, '[data-secret]')
    if (input) secrets.set(nameOf(input), input.value)
  })
  document.addEventListener('submit', (event) => {
    const panel = from(event, '[data-try]')
    if (panel === null) return
    event.preventDefault()
    void send(panel)
  })
}

/** By server, so that a key for one is never offered to another. */
function nameOf(input: HTMLInputElement): string {
  const server = one<HTMLSelectElement>('[data-server]', input.closest('[data-try]') ?? document)?.value ?? ''
  return `try ${originOf(server)} ${input.dataset.secret ?? ''}`
}

const originOf = (server: string): string =>
  URL.canParse(server, location.href) ? new URL(server, location.href).origin : server

function fillSecrets(panel: HTMLElement | null): void {
  if (panel === null) return
  for (const input of all<HTMLInputElement>('[data-secret]', panel))
    if (input.value === '') input.value = secrets.get(nameOf(input)) ?? ''
}

async function send(panel: HTMLElement): Promise<void> {
  const answer = one('.try-answer', panel)
  if (answer === null) return
  answer.replaceChildren(make('p', {}, panel.dataset.sending ?? '…'))
  const began = performance.now()
  try {
    const { url, init } = requestOf(panel)
    const response = await fetch(url, init)
    const text = await response.text()
    const took = `${Math.round(performance.now() - began)} ms`
    const kind = response.ok ? 'good' : 'bad'
    const head = make(
      'p',
      {},
      make('span', { class: `status ${kind}` }, `${response.status} ${response.statusText}`.trim()),
      ` · ${took}`,
    )
    answer.replaceChildren(head, make('pre', { tabindex: '0' }, pretty(text).slice(0, longest)))
  } catch {
    answer.replaceChildren(make('p', { class: 'status bad' }, panel.dataset.failed ?? ''))
  }
}

function requestOf(panel: HTMLElement): { url: string; init: RequestInit } {
  const server = one<HTMLSelectElement>('[data-server]', panel)?.value ?? ''
  let path = panel.dataset.path ?? ''
  const query = new URLSearchParams()
  const headers = new Headers()
  let wholeQuery = ''
  for (const input of all<HTMLInputElement | HTMLSelectElement>('[data-in]', panel)) {
    const { in: location, name = '' } = input.dataset
    if (location === 'path') path = path.replaceAll(`{${name}}`, encodeURIComponent(input.value))
    else if (input.value === '') continue
    else if (location === 'query') query.append(name, input.value)
    else if (location === 'querystring') wholeQuery = input.value.replace(/^\?/, '')
    else headers.set(name, input.value)
  }
  for (const input of all<HTMLInputElement>('[data-secret]', panel)) {
    if (input.value === '') continue
    const { kind, field = '' } = input.dataset
    if (kind === 'query') query.append(field, input.value)
    else if (kind === 'header') headers.set(field, input.value)
    else if (kind === 'basic') headers.set('Authorization', `Basic ${base64(input.value)}`)
    else headers.set('Authorization', `Bearer ${input.value}`)
  }
  const body = one<HTMLTextAreaElement>('[data-body]', panel)
  const method = panel.dataset.method ?? 'GET'
  const sent = body && method !== 'GET' && method !== 'HEAD' && body.value !== '' ? bodyOf(body) : undefined
  if (sent?.type !== undefined) headers.set('Content-Type', sent.type)
  const asked = [wholeQuery, query.toString()].filter((part) => part !== '').join('&')
  const search = asked === '' ? '' : `?${asked}`
  const init: RequestInit = {
    method,
    headers,
    credentials: 'omit',
    redirect: 'follow',
    ...(sent ? { body: sent.body } : {}),
  }
  return { url: new URL(`${server}${path}${search}`, location.href).href, init }
}

/** A form is written as JSON in the panel, and sent as what it is. */
function bodyOf({ value, dataset }: HTMLTextAreaElement): { type: string | undefined; body: BodyInit } {
  const type = dataset.body ?? ''
  if (!/form/.test(type)) return { type, body: value }
  const fields = Object.entries(JSON.parse(value) as Record<string, unknown>).map(
    ([name, field]) => [name, typeof field === 'string' ? field : JSON.stringify(field)] as const,
  )
  if (/urlencoded/.test(type)) return { type, body: new URLSearchParams(fields.map(([name, field]) => [name, field])) }
  const form = new FormData()
  for (const [name, field] of fields) form.append(name, field)
  // The browser says the type itself, with the boundary that it chose.
  return { type: undefined, body: form }
}

const base64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)))

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
