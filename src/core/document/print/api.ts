/**
 * Blocks as `{% tags %}`: containers, API blocks and integrations.
 */

import { integrationAttributes, printLength, printListed } from '../syntax/attributes.ts'
import { printTag, quote, readTag } from '../syntax/tags.ts'
import { commentOf } from '../tree/comment.ts'
import { partAttributes } from '../tree/conflict-marker.ts'
import type { Block, ContentRefTag, Integration } from '../tree/nodes.ts'
import { type PrintContext, targetOf } from './context.ts'
import { readsAs } from './words.ts'

type Api = Extract<
  Block,
  { type: 'swagger' | 'openapi-operation' | 'openapi-schemas' | 'openapi-webhook' | 'integration' }
>
type Container = Extract<Block, { type: 'hint' | 'if' | 'prompt' | 'tabs' | 'stepper' | 'columns' | 'updates' }>

export function printApi(block: Api, context: PrintContext): string {
  if (block.type === 'integration') return printIntegration(block, context)
  const { ref } = block.data
  const source = ref.kind === 'openapi' ? (['spec', ref.spec] as const) : (['src', targetOf(ref, context)] as const)
  // Only an operation of a file keeps the older name.
  const name = block.type === 'swagger' ? 'openapi' : block.type
  return `${printTag(name, [source, ...apiAttributes(block)])}\n{% end${name} %}`
}

function printIntegration(block: Integration, context: PrintContext): string {
  const comment = commentOf(block)
  if (comment !== undefined) {
    const printed = `<!--${comment}-->`
    if (isCommentText(comment) && readsAs(printed, block, context)) return printed
  }
  return printIntegrationTag(block)
}

/** Lines of nothing but spaces would not come back from within a list. */
const isCommentText = (text: string): boolean =>
  !/-->|^-?>|-$|\t/.test(text) && text.split('\n').every((line) => line === '' || line.trim() !== '')

function printIntegrationTag({ data }: Integration): string {
  const { integration, block, props, action, url, fullWidth } = data
  const isNamed = /^[\w.-]+$/.test(integration) && /^[\w.-]+$/.test(block)
  const own = Object.entries(props)
  const isFlat = own.every(([name, value]) => {
    const isReserved = integrationAttributes.some((reserved) => reserved === name)
    return typeof value === 'string' && /^[a-zA-Z][\w-]*$/.test(name) && !isReserved
  })
  const name = isNamed ? `@${integration}/${block}` : 'integration'
  return printTag(name, [
    ['name', isNamed ? undefined : integration],
    ['block', isNamed ? undefined : block],
    ...(isNamed && isFlat
      ? own.map(([key, value]) => [key, String(value)] as const)
      : [['props', JSON.stringify(props)] as const]),
    ['action', action === undefined ? undefined : JSON.stringify(action)],
    ['url', url],
    ['fullWidth', fullWidth],
  ])
}

function apiAttributes(block: Exclude<Api, { type: 'integration' }>) {
  switch (block.type) {
    case 'swagger':
      return [
        ['path', block.data.path],
        ['method', block.data.method],
        ['expanded', block.data.expanded],
        ['fullWidth', block.data.fullWidth],
      ] as const
    case 'openapi-operation':
      return [
        ['path', block.data.path],
        ['method', block.data.method],
        ['headless', block.data.headless],
      ] as const
    case 'openapi-webhook':
      return [
        ['name', block.data.name],
        ['method', block.data.method],
        ['headless', block.data.headless],
      ] as const
    case 'openapi-schemas':
      return [
        ['schemas', printListed(block.data.schemas)],
        ['grouped', block.data.grouped],
        ['title', block.data.title],
      ] as const
  }
}

/** A container between its tags, its blocks printed by `inner`. */
export function printTags(block: Container, inner: (nodes: readonly Block[]) => string): string {
  const wrap = (open: string, name: string, content: string): string => `${open}\n${content}\n{% end${name} %}`
  switch (block.type) {
    case 'hint':
      return wrap(
        printTag('hint', [
          ['style', block.data.style],
          ['icon', block.data.icon],
        ]),
        'hint',
        inner(block.nodes),
      )
    case 'if':
      return wrap(`{% if ${printExpression(block.data.expression)} %}`, 'if', inner(block.nodes))
    case 'prompt': {
      const { description, icon, openInAIProviders, defaultExpanded } = block.data
      const open = printTag('prompt', [
        ['description', description],
        ['icon', icon],
        ['openInAIProviders', openInAIProviders],
        ['defaultExpanded', defaultExpanded],
      ])
      return wrap(open, 'prompt', inner(block.nodes))
    }
    case 'tabs': {
      const tabs = block.nodes.map(({ data, nodes }) => {
        const open = printTag('tab', [
          ['title', data.title],
          ['icon', data.icon],
          ['slug', data.slug],
          ...partAttributes(data),
        ])
        return wrap(open, 'tab', inner(nodes))
      })
      return wrap(printTag('tabs', [['fullWidth', block.data.fullWidth]]), 'tabs', tabs.join('\n\n'))
    }
    case 'stepper': {
      const steps = block.nodes.map(({ data, nodes }) =>
        wrap(printTag('step', [['icon', data.icon], ...partAttributes(data)]), 'step', inner(nodes)),
      )
      return wrap('{% stepper %}', 'stepper', steps.join('\n\n'))
    }
    case 'columns': {
      const columns = block.nodes.map(({ data, nodes }) => {
        const open = printTag('column', [
          ['width', printLength(data.width)],
          ['valign', data.verticalAlignment],
          ...partAttributes(data),
        ])
        return wrap(open, 'column', inner(nodes))
      })
      return wrap(printTag('columns', [['fullWidth', block.data.fullWidth]]), 'columns', columns.join('\n\n'))
    }
    case 'updates': {
      const updates = block.nodes.map(({ data, nodes }) =>
        wrap(
          printTag('update', [['date', data.date], ['tags', printTagRefs(data.tags)], ...partAttributes(data)]),
          'update',
          inner(nodes),
        ),
      )
      return wrap(printTag('updates', [['format', block.data.format]]), 'updates', updates.join('\n\n'))
    }
  }
}

/** An expression as it is, unless a tag could not hold it so. */
function printExpression(expression: string): string {
  const bare = `{% if ${expression} %}`
  const tag = expression.startsWith('expression=') ? undefined : readTag(bare)
  return tag?.source === bare && tag.rest === expression ? expression : `expression="${quote(expression)}"`
}

function printTagRefs(tags: readonly ContentRefTag[] | undefined): string | undefined {
  if (tags === undefined || tags.length === 0) return undefined
  const spelt = tags.map(({ tag, space }) => (space === undefined ? tag : `/spaces/${space}/tags/${tag}`))
  return printListed(spelt)
}
