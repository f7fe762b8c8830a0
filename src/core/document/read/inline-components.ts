/** Components within a sentence: icons, badges, links and the like. Any other is looked through: its words stay. */
import { inlineRoleOf } from '../syntax/components.ts'
import { annotation, paragraph, text, voidInline } from '../tree/make.ts'
import type { Button } from '../tree/nodes.ts'
import { resolveTarget } from './context.ts'
import { imageOf, rawText } from './elements.ts'
import { type InlineState, readInto } from './inline.ts'
import type { Element, Raw } from './raw.ts'
import { readTitle } from './titles.ts'

export function readInlineComponent({ name, attributes }: Element, children: readonly Raw[], state: InlineState) {
  const { builder, context } = state
  const label = attributes.get('label') ?? attributes.get('text') ?? attributes.get('title') ?? ''
  switch (inlineRoleOf(name)) {
    case 'badge':
      if (children.length === 0) builder.text(label)
      return readInto(children, state)
    case 'icon': {
      const icon = attributes.get('icon') ?? attributes.get('name') ?? ''
      if (/^[\w-]{1,50}$/.test(icon)) builder.inline(voidInline('icon', { icon }))
      return
    }
    case 'image': {
      const image = imageOf(attributes, state)
      return image === undefined ? builder.text(attributes.get('alt') ?? '') : builder.image(image)
    }
    case 'keyboard':
      builder.startMark({ object: 'mark', type: 'keyboard' })
      readInto(children, state)
      return builder.endMark('keyboard')
    case 'math':
      return builder.inline(voidInline('inline-math', { formula: rawText(children).trim() }))
    case 'tooltip': {
      const tip = attributes.get('tip') ?? attributes.get('content') ?? attributes.get('text')
      const words = rawText(children).trim()
      if (!tip || words === '') return readInto(children, state)
      return builder.inline(annotation([text(words)], [paragraph(readTitle(tip, context))]))
    }
    case 'link':
    case 'button': {
      const target = attributes.get('href') ?? attributes.get('to')
      const ref = target ? resolveTarget(context, target, 'link') : null
      if (ref !== null && inlineRoleOf(name) === 'button') {
        const isPlain = /secondary|minimal|outline|ghost/.test(attributes.get('variant') ?? '')
        const data: Button['data'] = {
          label: rawText(children).trim() || label,
          kind: isPlain ? 'secondary' : 'primary',
          ref,
        }
        return builder.inline(voidInline('button', data))
      }
      if (ref !== null) builder.startLink(ref)
      if (children.length === 0) builder.text(label)
      readInto(children, state)
      if (ref !== null) builder.endLink()
      return
    }
    default:
      return readInto(children, state)
  }
}
