/** Blocks that show a part of an API description; a card that says which part where the description is not there (yet). */

import { slugOf } from '../../../core/document/text/anchors.ts'
import type { OpenAPIOperation, OpenAPISchemas, OpenAPIWebhook, Swagger } from '../../../core/document/tree/nodes.ts'
import { type RenderContext, uniqueId } from '../context.ts'
import { type Html, html } from '../html.ts'
import { uiIcon } from '../icons.ts'
import { methodBadge } from './method.ts'
import { renderPreparedOperation, renderPreparedSchemas } from './operation.ts'

export function renderOperation(context: RenderContext, block: OpenAPIOperation | Swagger): Html {
  const prepared = context.prepared.specs.get(block)
  const isHeadless = block.type === 'openapi-operation' && block.data.headless === true
  if (prepared?.kind === 'operation') return renderPreparedOperation(context, prepared, isHeadless)
  const id = uniqueId(context, slugOf(`${block.data.method} ${block.data.path}`))
  return html`<div class="operation spec-line" id="${id}">${methodBadge(block.data.method)}<code class="operation-path">${block.data.path}</code>${unread(context)}</div>`
}

const unread = (context: RenderContext): Html =>
  html`<span class="operation-unread">${context.strings.operationUnread}</span>`

export function renderWebhook(context: RenderContext, block: OpenAPIWebhook): Html {
  const prepared = context.prepared.specs.get(block)
  if (prepared?.kind === 'operation') return renderPreparedOperation(context, prepared, block.data.headless === true)
  const id = uniqueId(context, slugOf(`${block.data.method} ${block.data.name}`))
  return html`<div class="operation spec-line" id="${id}">${methodBadge(block.data.method)}<code class="operation-path">${block.data.name}</code>${uiIcon(context.icons, 'webhook')}${unread(context)}</div>`
}

export function renderSchemas(context: RenderContext, block: OpenAPISchemas): Html {
  const prepared = context.prepared.specs.get(block)
  if (prepared?.kind === 'schemas' && prepared.schemas.length > 0)
    return renderPreparedSchemas(context, prepared, block.data.title)
  const names = block.data.schemas.map((name) => html`<li><code>${name}</code></li>`)
  return html`<div class="schemas">${uiIcon(context.icons, 'braces')}<div><div class="schemas-title">${block.data.title ?? context.strings.schemas}</div><ul class="names">${names}</ul></div></div>`
}
