/**
 * Tags that show an API: operations, schemas and webhooks of a specification, and the block of an integration. A
 * specification is named by its slug (`spec=`) or, in older pages, by the place of its file (`src=`).
 */

import { integrationAttributes, listed } from '../syntax/attributes.ts'
import { isIntegrationTag, type Tag } from '../syntax/tags.ts'
import { plainObject } from '../tree/fields.ts'
import { voidBlock } from '../tree/make.ts'
import type { Block, Integration, OpenAPIRef } from '../tree/nodes.ts'
import { isSafeUrl } from '../tree/refs.ts'
import { readBlocks } from './blocks.ts'
import { type ReadContext, resolveFile } from './context.ts'
import type { Raw } from './raw.ts'
import { fullWidth, given, withoutLabel } from './tags.ts'

export function readApiTag(tag: Tag, children: readonly Raw[], context: ReadContext): Block[] | undefined {
  const isIntegration = tag.name === 'integration' || isIntegrationTag(tag.name)
  const block = isIntegration ? integration(tag) : apiBlock(tag, context)
  if (block === undefined) return undefined
  return [block, ...(isIntegration ? readBlocks(children, context) : withoutLabel(children, context))]
}

function apiBlock({ name, attributes }: Tag, context: ReadContext): Block | undefined {
  const path = attributes.get('path')
  const method = attributes.get('method')
  const headless = attributes.get('headless') === 'true' ? { headless: true } : {}
  const ref = specRef(attributes, context)
  if (ref === undefined) return undefined
  if (name === 'openapi-schemas') {
    const schemas = listed(attributes.get('schemas') ?? '')
    const grouped = attributes.get('grouped') === 'false' ? { grouped: false } : {}
    return voidBlock('openapi-schemas', { schemas, ref, ...grouped, ...given({ title: attributes.get('title') }) })
  }
  if (method === undefined) return undefined
  if (name === 'openapi-webhook') {
    const hook = attributes.get('name')
    return hook === undefined ? undefined : voidBlock('openapi-webhook', { name: hook, method, ref, ...headless })
  }
  if (path === undefined) return undefined
  if (name === 'openapi-operation') return voidBlock('openapi-operation', { path, method, ref, ...headless })
  if (ref.kind === 'openapi') return voidBlock('openapi-operation', { path, method, ref, ...headless })
  const source = resolveFile(context, ref.url, 'openapi')
  if (source === null) return undefined
  const expanded = attributes.get('expanded') === 'true' ? { expanded: true } : {}
  return voidBlock('swagger', { path, method, ref: source, ...expanded, ...fullWidth(attributes) })
}

function specRef(attributes: Tag['attributes'], context: ReadContext): OpenAPIRef | undefined {
  const spec = attributes.get('spec')
  if (spec !== undefined) return /^[^\s/#?]{1,256}$/u.test(spec) ? { kind: 'openapi', spec } : undefined
  const src = attributes.get('src')
  if (src === undefined || !isSafeUrl(src) || src.length > 2048) return undefined
  const found = context.resolve(src, 'openapi')
  return found?.kind === 'openapi' ? found : { kind: 'url', url: src }
}

function integration({ name: tagName, attributes }: Tag): Integration | undefined {
  const [name, block] = isIntegrationTag(tagName)
    ? tagName.slice(1).split('/')
    : [attributes.get('name'), attributes.get('block')]
  const url = attributes.get('url')
  const action = attributes.has('action') ? objectOf(attributes.get('action') ?? '') : undefined
  const own = [...attributes].filter(([key]) => !integrationAttributes.some((reserved) => reserved === key))
  const props = attributes.has('props')
    ? objectOf(attributes.get('props') ?? '')
    : isIntegrationTag(tagName)
      ? Object.fromEntries(own)
      : {}
  if (name === undefined || block === undefined || props === undefined) return undefined
  const data: Integration['data'] = { integration: name, block, props, ...fullWidth(attributes) }
  if (action !== undefined) data.action = action
  if (url !== undefined && url !== '' && isSafeUrl(url)) data.url = url
  return voidBlock('integration', data)
}

function objectOf(json: string): Integration['data']['props'] | undefined {
  try {
    return plainObject(JSON.parse(json), '')
  } catch {
    return undefined
  }
}
