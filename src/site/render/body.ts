/**
 * The text of a page, from its document alone: all that it asks is answered beforehand. So that a heavy one can be written
 * in a thread (aside.ts), everything that goes in and comes out can be copied.
 */

import type { Locale } from '../../core/customization/shape.ts'
import { anchorsOf, otherAnchorsOf } from '../../core/document/text/anchors.ts'
import { toText } from '../../core/document/text/to-text.ts'
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { cutTo } from '../../core/text.ts'
import { languageTag, stringsOf } from '../locales/strings.ts'
import { renderBlock } from './blocks.ts'
import type { OutlineEntry, Prepared, RenderContext, ResolvedRef } from './context.ts'
import type { RenderTools } from './highlight.ts'
import { html, print } from './html.ts'
import { type IconStyle, loadIcons, newIconSheet } from './icons.ts'
import { originsOf } from './openapi/try.ts'
import { prepareDocument } from './prepare.ts'

export interface BodyInput {
  document: JSONDocument
  /** Where references lead, by `refKey`; what is not here leads nowhere. */
  refs: ReadonlyMap<string, ResolvedRef | undefined>
  /** What the document shows of specs, by `refKey`. */
  specs?: ReadonlyMap<string, SpecPart> | undefined
  locale: Locale
  icons: IconStyle
  siteUrl: string
  basePath: string
  externalTarget: 'self' | 'blank'
  /** Ids that the page around it has. */
  reservedIds: readonly string[]
}

export interface Body {
  html: string
  notes: string[]
  outline: OutlineEntry[]
  styles: Map<string, string>
  icons: Map<string, string>
  hasMath: boolean
  /** How it begins. */
  start: string
  /** The servers that the page's own script may call for the reader. */
  calls: string[]
}

/** HTML of one page; what comes after is left out, and said to be. */
const mostCharacters = 4_000_000

/** One text for equal references. Every link of a page asks twice, so that the common ones are written out. */
export function refKey(ref: ContentRef): string {
  switch (ref.kind) {
    case 'url':
      return `url\n${ref.url}`
    case 'page':
      return `page\n${ref.space ?? ''}\n${ref.page}`
    case 'anchor':
      return `anchor\n${ref.space ?? ''}\n${ref.page ?? ''}\n${ref.anchor}`
    case 'file':
      return `file\n${ref.space ?? ''}\n${ref.file}`
    default:
      return JSON.stringify(ref, Object.keys(ref).sort())
  }
}

export async function renderBody(input: BodyInput, tools: RenderTools): Promise<Body> {
  const { document, refs, specs } = input
  const questions = {
    resolve: (ref: ContentRef) => refs.get(refKey(ref)),
    // The document came worked out for its reader: no condition, expression or reusable content is left in it.
    holds: () => false,
    evaluate: () => undefined,
    reusable: () => undefined,
    spec: (ref: ContentRef) => specs?.get(refKey(ref)),
  }
  const [prepared] = await Promise.all([prepareDocument(document, questions, tools), loadIcons()])
  const anchors = anchorsOf(document)
  const context: RenderContext = {
    ...questions,
    prepared,
    strings: stringsOf(input.locale),
    locale: languageTag(input.locale),
    siteUrl: input.siteUrl,
    basePath: input.basePath,
    externalTarget: input.externalTarget,
    icons: newIconSheet(input.icons),
    styles: new Map(),
    notes: [],
    outline: [],
    anchors,
    otherAnchors: otherAnchorsOf(anchors),
    ids: new Map(input.reservedIds.map((id) => [id, 1])),
    depth: 0,
    images: 0,
    embeds: 0,
    heading: 1,
  }
  let text = ''
  for (const block of document.nodes) {
    if (text.length > mostCharacters) {
      text += print(html`<p class="quiet">${context.strings.pageTooLong}</p>`)
      break
    }
    text += print(renderBlock(context, block))
  }
  return {
    html: text,
    notes: context.notes.map(print),
    outline: context.outline,
    styles: context.styles,
    icons: context.icons.used,
    hasMath: prepared.math.size > 0,
    start: startOf(document),
    calls: callsOf(prepared),
  }
}

/** The first words, for who shows a page by them. */
export const startOf = ({ nodes, ...document }: JSONDocument): string =>
  cutTo(
    toText({ ...document, nodes: nodes.slice(0, 4) })
      .replace(/\s+/g, ' ')
      .trim(),
    1_000,
  )

export function callsOf({ specs }: Prepared): string[] {
  const views = [...specs.values()].flatMap((spec) => (spec.kind === 'operation' && spec.tryIt ? [spec.view] : []))
  return originsOf(views)
}
