/** The method of a request, as a badge. */
import { type Html, html } from '../html.ts'

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace', 'query'])

export function methodBadge(method: string): Html {
  const name = method.toLowerCase()
  return html`<span class="method ${methods.has(name) ? name : 'get'}">${name.toUpperCase().slice(0, 10)}</span>`
}
