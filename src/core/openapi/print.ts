/** An operation or a model as Markdown, for readers that are machines. */
import {
  type CallbackView,
  type ContentView,
  type OperationView,
  type ParameterView,
  parametersAt,
  shownLocations,
} from './operation-view.ts'
import type { FieldView, SchemaView } from './schema-view.ts'

export function printOperation(view: OperationView): string {
  const { method, path, summary, id, description, deprecated, servers, body, responses, callbacks, samples } = view
  const lines = [
    `## ${oneLine(summary ?? id ?? path)}`,
    '',
    `\`${method.toUpperCase()} ${servers[0]?.url ?? ''}${path}\`${deprecated ? ' (deprecated)' : ''}`,
    '',
    ...(description === undefined ? [] : [description.trim(), '']),
  ]
  for (const location of shownLocations) {
    const some = parametersAt(view, location)
    if (some.length > 0) lines.push(`### Parameters: ${location}`, '', ...some.map(printParameter), '')
  }
  if (body) lines.push('### Body', '', ...body.contents.flatMap(printContent))
  if (responses.length > 0) lines.push('### Responses', '')
  for (const { status, description: about, contents } of responses)
    lines.push(`**${status}** ${oneLine(about ?? '')}`, '', ...contents.flatMap(printContent))
  for (const callback of callbacks) lines.push(...printCallback(callback))
  const [sample] = samples
  if (sample) lines.push('### Request', '', ...fenced(sample.code, sample.syntax))
  return lines.join('\n')
}

function printCallback({ name, method, path, summary, description, body, responses }: CallbackView): string[] {
  return [
    `### Callback: ${oneLine(name)}`,
    '',
    `${code(`${method.toUpperCase()} ${path}`)}${about(summary)}`,
    '',
    ...(description === undefined ? [] : [description.trim(), '']),
    ...(body?.contents ?? []).flatMap(printContent),
    ...responses.flatMap(({ status, description, contents }) => [
      `**${status}** ${oneLine(description ?? '')}`,
      '',
      ...contents.flatMap(printContent),
    ]),
  ]
}

export const printModel = (name: string, schema: SchemaView): string =>
  [
    `## ${oneLine(name)}`,
    '',
    ...(schema.description ? [schema.description.trim(), ''] : []),
    ...printFields(schema),
  ].join('\n')

const printParameter = ({ name, required, description, schema }: ParameterView): string =>
  `* ${code(name)} ${schema.type}${required ? ', required' : ''}${about(description ?? schema.description)}`

function printContent({ type, schema, examples }: ContentView): string[] {
  const [example] = examples
  return [
    `${code(type)}${schema ? `: ${schema.type}` : ''}`,
    '',
    ...(schema ? printFields(schema) : []),
    ...(example ? fenced(example.text, example.syntax) : []),
  ]
}

function printFields(schema: SchemaView): string[] {
  const lines = fieldLines(schema, 0)
  return lines.length === 0 ? [] : [...lines, '']
}

const deepest = 3

function fieldLines({ fields, items, variants }: SchemaView, depth: number): string[] {
  if (depth > deepest) return []
  const inner = items ? fieldLines(items, depth) : []
  const options = (variants?.options ?? []).flatMap(({ label, schema }) => [
    `${'  '.repeat(depth)}* ${variants?.kind === 'anyOf' ? 'any of' : 'one of'}: ${oneLine(label)}`,
    ...fieldLines(schema, depth + 1),
  ])
  return [...(fields ?? []).flatMap((field) => fieldLine(field, depth)), ...inner, ...options]
}

const fieldLine = ({ name, required, schema }: FieldView, depth: number): string[] => [
  `${'  '.repeat(depth)}* ${code(name)} ${schema.type}${required ? ', required' : ''}${schema.values ? ` (${schema.values.join(', ')})` : ''}${about(schema.description)}`,
  ...fieldLines(schema, depth + 1),
]

const about = (description: string | undefined): string =>
  description === undefined || description.trim() === '' ? '' : `: ${oneLine(description)}`
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``

/** A fence longer than any inside. */
function fenced(text: string, syntax: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${syntax}`, text, fence, '']
}
