/** Blocks that show a part of an API description; a card that says which part where the description is not there (yet). */

import { slugOf } from '../../../core/document/text/anchors.ts'
import type { OpenAPIOperation, OpenAPISchemas, OpenAPIWebhook, Swagger } from '../../../core/document/tree/nodes.ts'
import { type Html, html } from '../html.ts'
import { uiIcon } from '../icons.ts'
import { type RenderScope, uniqueId } from '../scope.ts'
import { methodBadge } from './method.ts'
import { renderPreparedOperation, renderPreparedSchemas } from './operation.ts'

export function renderOperation(scope: RenderScope, block: OpenAPIOperation | Swagger): Html {
  const prepared = scope.prepared.specs.get(block)
  const isHeadless = block.type === 'openapi-operation' && block.data.headless === true
  if (prepared?.kind === 'operation') return renderPreparedOperation(scope, prepared, isHeadless)
  const id = uniqueId(scope, slugOf(`${block.data.method} ${block.data.path}`))
  return html`<div class="operation spec-line" id="${id}">${methodBadge(block.data.method)}<code class="operation-path">${block.data.path}</code>${unread(scope)}</div>`
}

const unread = (scope: RenderScope): Html =>
  html`<span class="operation-unread">${scope.strings.operationUnread}</span>`

export function renderWebhook(scope: RenderScope, block: OpenAPIWebhook): Html {
  const prepared = scope.prepared.specs.get(block)
  if (prepared?.kind === 'operation') return renderPreparedOperation(scope, prepared, block.data.headless === true)
  const id = uniqueId(scope, slugOf(`${block.data.method} ${block.data.name}`))
  return html`<div class="operation spec-line" id="${id}">${methodBadge(block.data.method)}<code class="operation-path">${block.data.name}</code>${uiIcon(scope.icons, 'webhook')}${unread(scope)}</div>`
}

export function renderSchemas(scope: RenderScope, block: OpenAPISchemas): Html {
  const prepared = scope.prepared.specs.get(block)
  if (prepared?.kind === 'schemas' && prepared.schemas.length > 0)
    return renderPreparedSchemas(scope, prepared, block.data.title)
  const names = block.data.schemas.map((name) => html`<li><code>${name}</code></li>`)
  return html`<div class="schemas">${uiIcon(scope.icons, 'braces')}<div><div class="schemas-title">${block.data.title ?? scope.strings.schemas}</div><ul class="names">${names}</ul></div></div>`
}
