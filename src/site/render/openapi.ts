/** Blocks that show a part of an API description: for now a card that says which part. */

import { slugOf } from '../../core/document/text/anchors.ts'
import type { OpenAPIOperation, OpenAPISchemas, OpenAPIWebhook, Swagger } from '../../core/document/tree/nodes.ts'
import { type Html, html } from './html.ts'
import { uiIcon } from './icons.ts'
import { type RenderScope, uniqueId } from './scope.ts'

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'])

export function renderOperation(scope: RenderScope, block: OpenAPIOperation | Swagger): Html {
  const id = uniqueId(scope, slugOf(`${block.data.method} ${block.data.path}`))
  return html`<div class="operation" id="${id}">${methodBadge(block.data.method)}<code class="operation-path">${block.data.path}</code></div>`
}

export function renderWebhook(scope: RenderScope, block: OpenAPIWebhook): Html {
  const id = uniqueId(scope, slugOf(`${block.data.method} ${block.data.name}`))
  return html`<div class="operation" id="${id}">${methodBadge(block.data.method)}<code class="operation-path">${block.data.name}</code>${uiIcon(scope.icons, 'webhook')}</div>`
}

export function renderSchemas(scope: RenderScope, block: OpenAPISchemas): Html {
  const names = block.data.schemas.map((name) => html`<li><code>${name}</code></li>`)
  return html`<div class="schemas">${uiIcon(scope.icons, 'braces')}<div><div class="schemas-title">${block.data.title ?? scope.strings.schemas}</div><ul class="names">${names}</ul></div></div>`
}

export function methodBadge(method: string): Html {
  const name = method.toLowerCase()
  return html`<span class="method ${methods.has(name) ? name : 'get'}">${name.toUpperCase().slice(0, 10)}</span>`
}
