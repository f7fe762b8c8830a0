/**
 * HTML by an escaping template: every value put into `html` is text and comes out escaped, unless it is itself the
 * outcome of `html`. The mark of finished HTML is a symbol, which no JSON can carry, so that nothing an author stored
 * can pass for it.
 *
 * Attribute values must stand in double quotes in the templates; the escaping relies on it.
 */
const markup = Symbol('markup')

export interface Html {
  readonly [markup]: string
}
export type HtmlValue = string | number | Html | false | undefined | null | readonly HtmlValue[]

export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = parts[0] ?? ''
  for (let at = 0; at < values.length; at += 1) text += textOf(values[at]) + (parts[at + 1] ?? '')
  return { [markup]: text }
}

export const nothing: Html = { [markup]: '' }

/** Several pieces one after another. */
export function join(values: readonly HtmlValue[]): Html {
  return { [markup]: textOf(values) }
}

/** ` name="value"` with its leading space, or nothing without a value; `true` gives the name alone. */
export function attr(name: string, value: string | number | boolean | undefined): Html {
  if (value === undefined || value === false) return nothing
  return { [markup]: value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"` }
}

/** HTML that our own code or a library made from escaped text: never what an author wrote. */
export function trusted(text: string): Html {
  return { [markup]: text }
}

/** The finished text. */
export function print(value: Html): string {
  return value[markup]
}

export function isEmpty(value: Html): boolean {
  return value[markup] === ''
}

function escapeHtml(text: string): string {
  // Most texts need nothing, and looking is cheaper than replacing.
  return special.test(text) ? text.replace(specials, (found) => entities[found] ?? '') : text
}

const special = /[&<>"'\u0000]/
const specials = /[&<>"'\u0000]/g
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function textOf(value: HtmlValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (value === undefined || value === null || value === false) return ''
  if (typeof value === 'number') return String(value)
  if (isList(value)) {
    let text = ''
    for (const part of value) text += textOf(part)
    return text
  }
  return value[markup] ?? ''
}

function isList(value: HtmlValue): value is readonly HtmlValue[] {
  return Array.isArray(value)
}
