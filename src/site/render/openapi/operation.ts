/** An operation or webhook: what it takes and answers on one side, how to call it on the other. */

import { slugOf } from '../../../core/document/text/anchors.ts'
import type { Block, Tabs } from '../../../core/document/tree/nodes.ts'
import {
  type AuthView,
  type CallbackView,
  type ContentView,
  type OperationView,
  type ParameterView,
  parametersAt,
  type ResponseView,
  shownLocations,
} from '../../../core/openapi/operation-view.ts'
import { anchorOf } from '../../../core/openapi/search-text.ts'
import { cutTo } from '../../../core/text.ts'
import { renderBlock, renderBlocks } from '../blocks.ts'
import { type RenderContext, uniqueId } from '../context.ts'
import { type Html, html, nothing } from '../html.ts'
import { uiIcon } from '../icons.ts'
import { methodBadge } from './method.ts'
import type { PreparedOperation, PreparedSchemas } from './prepare.ts'
import { renderDescription, renderField, renderSchemaBody, renderType, type SchemaContext } from './schema.ts'
import { renderTry } from './try.ts'
import { specWords } from './words.ts'

export function renderPreparedOperation(
  context: RenderContext,
  prepared: PreparedOperation,
  isHeadless: boolean,
): Html {
  const { view } = prepared
  const at: SchemaContext = { context, texts: prepared.texts, words: specWords(context.locale) }
  const title = view.summary ?? view.id ?? `${view.method.toUpperCase()} ${view.path}`
  const id = uniqueId(context, anchorOf(view))
  if (!isHeadless) context.outline.push({ id, title, level: 1 })
  const level = isHeadless ? nothing : renderTitle(context, id, title)
  if (!isHeadless) context.heading = 2
  const badge = view.deprecated && html`<span class="spec-mark deprecated">${at.words.deprecated}</span>`
  const hook = view.isWebhook && html`<span class="spec-mark">${at.words.webhook}</span>`
  const line = html`<div class="spec-line">${methodBadge(view.method)}<code class="operation-path">${breakable(view.path)}</code>${hook}${badge}</div>`
  const main = html`${renderDescription(at, view.description)}${renderAuth(at, view)}${renderParameters(at, view)}${renderBody(at, view)}${renderResponses(at, view)}${renderCallbacks(at, view)}`
  const side = html`${renderSamples(at, prepared)}${prepared.tryIt && renderTry(at, view)}${renderExamples(at, prepared)}`
  return html`<section class="spec"${isHeadless && html` id="${id}"`}>${level}${line}<div class="spec-sides"><div class="spec-main">${main}</div><div class="spec-side">${side}</div></div></section>`
}

const renderTitle = (context: RenderContext, id: string, title: string): Html =>
  html`<div class="heading h2 spec-title"><h2 id="${id}">${title}</h2><a class="anchor" href="#${encodeURIComponent(id)}" aria-label="${context.strings.linkTo(title)}"></a></div>`

/** A long path may break behind a slash. */
const breakable = (path: string): Html =>
  html`${path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`))}`

const part = (title: string, body: Html): Html =>
  html`<div class="spec-part"><h3 class="spec-head">${title}</h3>${body}</div>`

function renderAuth(at: SchemaContext, { auth, isWebhook }: OperationView): Html {
  if (auth.length === 0 || isWebhook) return nothing
  const ways = auth.map((schemes, index) => {
    const shown =
      schemes.length === 0
        ? html`<li class="field">${at.words.noAuthorization}</li>`
        : schemes.map((scheme) => renderScheme(at, scheme))
    return html`${index > 0 && html`<li class="spec-or">${at.words.or}</li>`}${shown}`
  })
  return part(at.words.authorization, html`<ul class="fields">${ways}</ul>`)
}

const carriers: Readonly<Record<AuthView['kind'], string>> = {
  bearer: 'Bearer',
  basic: 'Basic',
  header: 'header',
  query: 'query',
  cookie: 'cookie',
  oauth2: 'OAuth 2',
  other: '',
}

function renderScheme(at: SchemaContext, { name, kind, field, description, scopes }: AuthView): Html {
  const listed = scopes.length > 0 && html`<div class="rules">${scopes.map((one) => html`<code>${one}</code> `)}</div>`
  return html`<li class="field"><div class="field-head"><code class="field-name">${field ?? name}</code><span class="field-type">${carriers[kind]}</span><span class="quiet">${name}</span></div>${renderDescription(at, description)}${listed}</li>`
}

function renderParameters(at: SchemaContext, view: OperationView): Html {
  return html`${shownLocations.map((location) => {
    const some = parametersAt(view, location)
    return some.length === 0 ? nothing : part(at.words[location], renderParameterList(at, some))
  })}`
}

const renderParameterList = (at: SchemaContext, parameters: readonly ParameterView[]): Html =>
  html`<ul class="fields">${parameters.map(({ name, required, deprecated, description, schema }) =>
    renderField(
      at,
      {
        name,
        required,
        schema: {
          ...schema,
          ...(deprecated ? { deprecated } : {}),
          ...(description === undefined ? {} : { description }),
        },
      },
      0,
    ),
  )}</ul>`

function renderBody(at: SchemaContext, { body }: OperationView): Html {
  if (body === undefined) return nothing
  const badge = body.required && html` <span class="spec-mark required">${at.words.required}</span>`
  return html`<div class="spec-part"><h3 class="spec-head">${at.words.body}${badge}</h3>${renderDescription(at, body.description)}${renderContents(at, body.contents)}</div>`
}

/** Of several media types the first is open: it is the one that most readers want. */
const renderContents = (at: SchemaContext, contents: readonly ContentView[]): Html[] =>
  contents.map((content, index) => renderContent(at, content, { isFolding: contents.length > 1, isOpen: index === 0 }))

function renderContent(
  at: SchemaContext,
  { type, schema }: ContentView,
  { isFolding, isOpen }: { isFolding: boolean; isOpen: boolean },
): Html {
  const about = schema && html`${renderType(at, schema)}`
  const body = schema && html`${renderDescription(at, schema.description)}${renderSchemaBody(at, schema)}`
  if (!isFolding)
    return html`<div class="content"><div class="field-head"><code class="media">${type}</code>${about}</div>${body}</div>`
  return html`<details class="fold content"${isOpen && html` open`}><summary>${uiIcon(at.context.icons, 'chevron-right')}<span class="field-head"><code class="media">${type}</code>${about}</span></summary>${body}</details>`
}

function renderResponses(at: SchemaContext, { responses }: OperationView): Html {
  if (responses.length === 0) return nothing
  return part(
    at.words.responses,
    html`<div class="spec-responses">${responses.map((response) => renderResponse(at, response))}</div>`,
  )
}

function renderResponse(at: SchemaContext, { status, description, headers, contents }: ResponseView): Html {
  const kind = /^2/.test(status) ? 'good' : /^[45]/.test(status) ? 'bad' : 'other'
  const [line = ''] = (description ?? '').trim().split('\n')
  const isShort = description === undefined || line === description.trim()
  const isOpen = kind === 'good'
  const body = html`${!isShort && renderDescription(at, description)}${headers.length > 0 && html`<div class="spec-label">${at.words.header}</div>${renderParameterList(at, headers)}`}${renderContents(at, contents)}`
  if (contents.length === 0 && headers.length === 0 && isShort)
    return html`<div class="spec-response"><span class="status ${kind}">${status}</span><span class="status-text">${plain(line)}</span></div>`
  return html`<details class="spec-response"${isOpen && html` open`}><summary><span class="status ${kind}">${status}</span><span class="status-text">${plain(line)}</span>${uiIcon(at.context.icons, 'chevron-right')}</summary>${body}</details>`
}

function renderCallbacks(at: SchemaContext, { callbacks }: OperationView): Html {
  if (callbacks.length === 0) return nothing
  return part(
    at.words.callbacks,
    html`<div class="spec-responses">${callbacks.map((callback) => renderCallback(at, callback))}</div>`,
  )
}

function renderCallback(at: SchemaContext, callback: CallbackView): Html {
  const { name, method, path, summary, description, body, responses } = callback
  const line = html`<div class="spec-line">${methodBadge(method)}<code class="operation-path">${breakable(path)}</code></div>`
  const sent = body && html`${renderDescription(at, body.description)}${renderContents(at, body.contents)}`
  const answers =
    responses.length > 0 &&
    html`<div class="spec-responses">${responses.map((response) => renderResponse(at, response))}</div>`
  return html`<details class="spec-response"><summary><code class="status-text">${name}</code><span class="status-text">${plain(summary ?? '')}</span>${uiIcon(at.context.icons, 'chevron-right')}</summary>${line}${renderDescription(at, description)}${sent}${answers}</details>`
}

/** One line without the marks of Markdown. */
const plain = (line: string): string =>
  cutTo(line.replace(/<[^>]*>/g, '').replace(/[*_`]|\[([^\]]*)\]\([^)]*\)/g, '$1'), 300)

function renderSamples(at: SchemaContext, { view, codes }: PreparedOperation): Html {
  const items = view.samples.flatMap(({ label, code }) => {
    const block = codes.get(code)
    return block ? [{ title: label, nodes: [block] }] : []
  })
  if (items.length === 0) return nothing
  return html`<div class="spec-sample"><div class="spec-label">${at.words.request}</div>${renderTabs(at.context, items)}</div>`
}

function renderExamples(at: SchemaContext, { view, codes }: PreparedOperation): Html {
  const sent = view.isWebhook ? (view.body?.contents ?? []).map((content) => ({ content, name: at.words.body })) : []
  const answered = view.responses.flatMap(({ status, contents }) =>
    shownContents(contents).map((content) => ({
      content,
      name: contents.length > 1 ? `${status} ${content.type}` : status,
    })),
  )
  const items = [...sent, ...answered].flatMap(({ content, name }) =>
    content.examples.slice(0, 3).flatMap((example) => {
      const block = codes.get(example.text)
      return block ? [{ title: [name, example.name].filter((word) => word !== '').join(' '), nodes: [block] }] : []
    }),
  )
  if (items.length === 0) return nothing
  return html`<div class="spec-sample"><div class="spec-label">${view.isWebhook ? at.words.example : at.words.response}</div>${renderTabs(at.context, items.slice(0, 8))}</div>`
}

/** Many specs list media types that all show the same example: it stands once, as JSON where that is one of them. */
function shownContents(contents: readonly ContentView[]): ContentView[] {
  const shown = new Map<string, ContentView>()
  const isJson = ({ type }: ContentView): boolean => /json/.test(type)
  for (const content of [...contents.filter(isJson), ...contents.filter((one) => !isJson(one))]) {
    const key = JSON.stringify(content.examples)
    if (!shown.has(key)) shown.set(key, content)
  }
  return [...shown.values()]
}

function renderTabs(context: RenderContext, items: readonly { title: string; nodes: Block[] }[]): Html {
  if (items.length === 1 && items[0]) return renderBlocks(context, items[0].nodes)
  const block: Tabs = {
    object: 'block',
    type: 'tabs',
    isVoid: false,
    data: {},
    nodes: items.map(({ title, nodes }) => ({
      object: 'block',
      type: 'tabs-item',
      isVoid: false,
      data: { title },
      nodes,
    })),
  }
  return renderBlock(context, block)
}

export function renderPreparedSchemas(
  context: RenderContext,
  prepared: PreparedSchemas,
  title: string | undefined,
): Html {
  const models = new Set(prepared.schemas.map(({ name }) => name))
  const at: SchemaContext = { context, texts: prepared.texts, words: specWords(context.locale), models }
  const shown = prepared.schemas.map(({ name, view }) => {
    const id = uniqueId(context, slugOf(name))
    context.outline.push({ id, title: name, level: 1 })
    return html`<section class="spec model">${renderTitle(context, id, name)}<div class="field-head"><span class="field-type">${view.type}</span></div>${renderDescription(at, view.description)}${renderSchemaBody(at, view)}</section>`
  })
  return html`${title && html`<p class="spec-label">${title}</p>`}${shown}`
}
