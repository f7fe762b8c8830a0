/** The panel that calls an operation from the reader's browser. Without a script it is not there. */
import type { OperationView } from '../../../core/openapi/operation-view.ts'
import { contentToSend } from '../../../core/openapi/samples.ts'
import { uniqueId } from '../context.ts'
import { attr, type Html, html } from '../html.ts'
import { uiIcon } from '../icons.ts'
import type { SchemaContext } from './schema.ts'

const mostFields = 60

export function renderTry(at: SchemaContext, view: OperationView): Html {
  const { context, words } = at
  const id = uniqueId(context, 'try')
  const schemes = view.auth.find((way) => way.length > 0) ?? []
  const secrets = schemes
    .filter(({ kind }) => kind !== 'other' && kind !== 'cookie')
    .map((scheme, index) =>
      row(
        `${id}-s${index}`,
        scheme.name,
        html`<input id="${id}-s${index}" type="password" autocomplete="off" spellcheck="false" data-secret="${scheme.name}" data-kind="${scheme.kind}" data-field="${scheme.field ?? ''}"${attr('placeholder', scheme.kind === 'basic' ? 'name:password' : undefined)}>`,
      ),
    )
  const fields = view.parameters
    .filter((parameter) => parameter.in !== 'cookie')
    .slice(0, mostFields)
    .map(({ name, in: location, required, example, schema }, index) => {
      const listed = schema.values?.map((value) => html`<option value="${value}">${value}</option>`)
      const shared = html` id="${id}-p${index}" data-in="${location}" data-name="${name}"${attr('required', required)}`
      const input = listed
        ? html`<select${shared}><option value=""></option>${listed}</select>`
        : html`<input${shared} type="text" spellcheck="false" autocomplete="off"${attr('placeholder', example)}>`
      return row(`${id}-p${index}`, required ? `${name} *` : name, input)
    })
  const content = contentToSend(view)
  const body =
    content &&
    row(
      `${id}-b`,
      `${words.body} · ${content.type}`,
      html`<textarea id="${id}-b" rows="8" spellcheck="false" data-body="${content.type}">${content.examples[0]?.text ?? ''}</textarea>`,
    )
  const options = view.servers.map(
    ({ url, description }) =>
      html`<option value="${url}">${description === undefined ? url : `${url} – ${description}`}</option>`,
  )
  const server = row(`${id}-server`, words.server, html`<select id="${id}-server" data-server>${options}</select>`)
  return html`<details class="try scripted" data-try data-method="${view.method.toUpperCase()}" data-path="${view.path}" data-sending="${words.sending}" data-failed="${words.failed}"><summary>${uiIcon(context.icons, 'chevron-right')}<span>${words.tryIt}</span></summary><form class="try-form">${server}${secrets}${fields}${body}<p class="quiet">${words.secretsStay}</p><button class="button primary" type="submit">${words.send}</button><div class="try-answer" role="status" aria-live="polite"></div></form></details>`
}

const row = (id: string, label: string, input: Html): Html =>
  html`<div class="try-row"><label for="${id}">${label}</label>${input}</div>`

/** Origins that the page's script may call. */
export function originsOf(views: readonly OperationView[]): string[] {
  const found = new Set<string>()
  for (const { servers } of views)
    for (const { url } of servers) {
      const origin = URL.canParse(url) ? new URL(url).origin : 'null'
      if (/^https?:\/\/[a-z0-9.:[\]-]+$/i.test(origin)) found.add(origin)
    }
  return [...found].slice(0, 20)
}
