/** A list of dated updates: the date stands beside the text and stays in view while it is read. */
import type { Update, Updates } from '../../core/document/tree/nodes.ts'
import { renderBlocks } from './blocks.ts'
import { type RenderContext, uniqueId } from './context.ts'
import { type Html, html, nothing } from './html.ts'

export function renderUpdates(context: RenderContext, block: Updates): Html {
  return html`<div class="updates">${block.nodes.map((update) => renderUpdate(context, update, block.data.format))}</div>`
}

function renderUpdate(context: RenderContext, update: Update, format: Updates['data']['format']): Html {
  const date = new Date(update.data.date)
  const known = !Number.isNaN(date.getTime())
  const day = known ? date.toISOString().slice(0, 10) : undefined
  const time = known ? html`<time datetime="${day}">${dateText(date, format, context.locale)}</time>` : nothing
  const tags = (update.data.tags ?? []).map(
    (tag) => html`<span class="chip">${context.resolve(tag)?.title ?? tag.tag}</span>`,
  )
  const id = uniqueId(context, day ?? 'update')
  return html`<section class="update" id="${id}"><div class="update-side">${time}<div class="chips">${tags}</div></div><div class="update-body">${renderBlocks(context, update.nodes)}</div></section>`
}

type DateFormat = 'numeric' | 'full' | 'short'

const dateOptions: Readonly<Record<DateFormat, Intl.DateTimeFormatOptions>> = {
  numeric: { year: 'numeric', month: '2-digit', day: '2-digit' },
  full: { year: 'numeric', month: 'long', day: 'numeric' },
  short: { year: 'numeric', month: 'short', day: 'numeric' },
}
// To make one takes half a millisecond; there are as many as languages.
const dateFormats = new Map<string, Intl.DateTimeFormat>()

export function dateText(date: Date, format: DateFormat, locale: string): string {
  const key = `${locale} ${format}`
  const known = dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, { ...dateOptions[format], timeZone: 'UTC' })
  dateFormats.set(key, known)
  return known.format(date)
}
