/** Schemas: fields with their types, what holds for them, and what they hold, folded where it goes deep. */
import { slugOf } from '../../../core/document/text/anchors.ts'
import { type FieldView, hasBody, type SchemaView } from '../../../core/openapi/schema-view.ts'
import { renderBlocks } from '../blocks.ts'
import type { RenderContext } from '../context.ts'
import { type Html, html, nothing } from '../html.ts'
import { uiIcon } from '../icons.ts'
import type { Texts } from './prepare.ts'
import type { SpecWords } from './words.ts'

export interface SchemaContext {
  context: RenderContext
  texts: Texts
  words: SpecWords
  /** Models that stand on this page, to be linked. */
  models?: ReadonlySet<string>
}

/** What is shown open; deeper is folded. */
const openDepth = 1

export function renderDescription({ context, texts }: SchemaContext, text: string | undefined): Html {
  const blocks = text === undefined ? undefined : texts.get(text)
  if (blocks === undefined || blocks.length === 0) return nothing
  return html`<div class="spec-text">${renderBlocks(context, blocks)}</div>`
}

/** Fields, items and alternatives, without the schema's own type and description. */
export function renderSchemaBody(at: SchemaContext, schema: SchemaView, depth = 0): Html {
  const { fields, items, variants } = schema
  return html`${renderRules(at, schema)}${fields && html`<ul class="fields">${fields.map((field) => renderField(at, field, depth))}</ul>`}${variants && renderVariants(at, variants, depth)}${items && hasBody(items) && renderItems(at, items, depth)}`
}

function renderItems(at: SchemaContext, items: SchemaView, depth: number): Html {
  const isOnlyFields = items.fields !== undefined || items.variants !== undefined || items.items !== undefined
  if (!isOnlyFields) return renderRules(at, items)
  return html`<div class="spec-items"><span class="spec-label">${at.words.items}</span>${renderSchemaBody(at, items, depth)}</div>`
}

export function renderField(
  at: SchemaContext,
  { name, required, readOnly, writeOnly, schema }: FieldView,
  depth: number,
): Html {
  const badges = [
    required && html`<span class="spec-mark required">${at.words.required}</span>`,
    readOnly && html`<span class="spec-mark">${at.words.readOnly}</span>`,
    writeOnly && html`<span class="spec-mark">${at.words.writeOnly}</span>`,
    schema.deprecated && html`<span class="spec-mark deprecated">${at.words.deprecated}</span>`,
  ]
  const label =
    name === '*' ? html`<em class="field-name">${at.words.others}</em>` : html`<code class="field-name">${name}</code>`
  return html`<li class="field"><div class="field-head">${label}${renderType(at, schema)}${badges}</div>${renderDescription(at, schema.description)}${renderInside(at, schema, depth)}</li>`
}

function renderInside(at: SchemaContext, schema: SchemaView, depth: number): Html {
  const isDeep =
    schema.fields !== undefined ||
    schema.variants !== undefined ||
    schema.items?.fields !== undefined ||
    schema.items?.variants !== undefined
  if (!isDeep) return renderSchemaBody(at, schema, depth + 1)
  const { rules, values, ...deep } = schema
  const open = depth + 1 < openDepth
  return html`${renderRules(at, schema)}<details class="fold"${open && html` open`}><summary>${uiIcon(at.context.icons, 'chevron-right')}<span>${at.words.fields}</span></summary>${renderSchemaBody(at, { ...deep, rules: [] }, depth + 1)}</details>`
}

export function renderType({ models, words }: SchemaContext, { type, name, cut }: SchemaView): Html {
  const isLinked = name !== undefined && models?.has(name)
  const label = isLinked ? html`<a href="#${slugOf(name)}">${type}</a>` : html`${type}`
  return html`<span class="field-type">${label}${cut === 'circular' && !isLinked && html` <span class="quiet">(${words.circular})</span>`}</span>`
}

function renderRules({ words }: SchemaContext, { rules, values }: SchemaView): Html {
  if (rules.length === 0 && values === undefined) return nothing
  const parts = rules.map(({ name, value }) => html`<span class="rule">${name} <code>${value}</code></span>`)
  const listed =
    values && html`<span class="rule">${words.values} ${values.map((value) => html`<code>${value}</code> `)}</span>`
  return html`<div class="rules">${parts}${listed}</div>`
}

function renderVariants(at: SchemaContext, variants: NonNullable<SchemaView['variants']>, depth: number): Html {
  const { kind, discriminator, options } = variants
  const by = discriminator && html` <code>${discriminator}</code>`
  const shown = options.map(({ label, schema }) => {
    const head = html`<strong>${label}</strong>${schema.type !== label && html` <span class="field-type">${schema.type}</span>`}`
    if (!hasBody(schema) && schema.description === undefined) return html`<li class="variant">${head}</li>`
    return html`<li class="variant"><details class="fold"><summary>${uiIcon(at.context.icons, 'chevron-right')}<span>${head}</span></summary>${renderDescription(at, schema.description)}${renderSchemaBody(at, schema, depth + 1)}</details></li>`
  })
  return html`<div class="variants"><span class="spec-label">${kind === 'oneOf' ? at.words.oneOf : at.words.anyOf}${by}</span><ul>${shown}</ul></div>`
}
