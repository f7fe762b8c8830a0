/** The data fields of every node type, one row each. The types of nodes are inferred from these rows. */
import { ref } from '../content-ref.ts'
import {
  boolean,
  type Fields,
  integer,
  length,
  listOf,
  number,
  object,
  oneOf,
  optional,
  plainObject,
  reader,
  record,
  required,
  string,
  stringMatching,
  url,
} from './fields.ts'
import {
  buttonKinds,
  buttonSizes,
  codeOverflows,
  hintStyles,
  imagesAlignments,
  inlineImageSizes,
  lineChanges,
  promptExpansions,
  textAlignments,
  textColors,
  updatesFormats,
  verticalAlignments,
} from './nodes.ts'

const icon = optional(string)
const flag = optional(boolean)
const fileRef = ref('file', 'url')
const openapiRef = required(ref('openapi', 'url'))
const align = optional(oneOf(textAlignments))
const anchorId = stringMatching(/^[-a-z0-9.+_]+$/, 'an anchor of a-z, 0-9 and -.+_')
const heading = { id: optional(anchorId), align }

export const blockData = {
  paragraph: { align },
  'heading-1': heading,
  'heading-2': heading,
  'heading-3': heading,
  'code-line': { highlighted: flag, change: optional(oneOf(lineChanges)) },
  code: {
    syntax: optional(string),
    title: optional(string),
    overflow: optional(oneOf(codeOverflows)),
    lineNumbers: flag,
    fullWidth: flag,
    expandable: flag,
    collapsedLineCount: optional(integer(1, 1_000_000)),
  },
  embed: { url: required(url), fullWidth: flag, caption: optional(string) },
  integration: {
    integration: required(string),
    block: required(string),
    props: required(plainObject),
    action: optional(plainObject),
    url: optional(url),
    fullWidth: flag,
  },
  // The data of a table is more than fields: `table-schema.ts` reads it.
  table: {},
  hint: { style: required(oneOf(hintStyles)), icon },
  blockquote: {},
  math: { formula: required(string) },
  'list-item': { checked: flag },
  'list-ordered': { start: optional(number) },
  'list-unordered': {},
  'list-tasks': {},
  divider: {},
  prompt: {
    description: required(string),
    icon,
    openInAIProviders: flag,
    defaultExpanded: optional(oneOf(promptExpansions)),
  },
  if: { expression: required(string) },
  image: {
    ref: required(fileRef),
    refDark: optional(fileRef),
    width: optional(length),
    height: optional(length),
    alt: optional(string),
  },
  images: { align: optional(oneOf(imagesAlignments)), fullWidth: flag, withFrame: flag },
  file: { ref: required(fileRef) },
  drawing: { ref: optional(fileRef), alt: optional(string) },
  'reusable-content': { ref: required(ref('reusable-content', 'url')) },
  expandable: { id: optional(anchorId), defaultExpanded: flag },
  'content-ref': { ref: required(ref()), label: optional(string) },
  'tabs-item': { title: optional(string), icon, slug: optional(string) },
  tabs: { fullWidth: flag },
  swagger: {
    path: required(string),
    method: required(string),
    ref: required(fileRef),
    expanded: flag,
    fullWidth: flag,
  },
  'openapi-operation': { path: required(string), method: required(string), ref: openapiRef, headless: flag },
  'openapi-schemas': { schemas: required(listOf(string)), ref: openapiRef, grouped: flag, title: optional(string) },
  'openapi-webhook': { name: required(string), method: required(string), ref: openapiRef, headless: flag },
  'stepper-step': { icon: optional(string) },
  stepper: {},
  column: { width: optional(length), verticalAlignment: optional(oneOf(verticalAlignments)) },
  columns: { fullWidth: flag },
  update: { date: required(string), tags: optional(listOf(ref('tag'), 100)) },
  updates: { format: required(oneOf(updatesFormats)) },
} satisfies Record<string, Fields>

const iconName = stringMatching(/^[\w-]{1,50}$/, 'the name of an icon')
const emojiCode = stringMatching(/^[0-9a-f]{1,6}(?:-[0-9a-f]{1,6}){0,63}$/, 'code points such as 1f600 or 2764-fe0f')
const asked = record({ action: required(oneOf(['search', 'ask'])), query: required(string) })
const selected = record({ action: required(oneOf(['select'])), slug: required(string) })
const anyAction = oneOf(['search', 'ask', 'select'])
const readAction = reader({ oneOf: [asked.schema, selected.schema] }, (value, path) =>
  anyAction(object(value, path).action, `${path}.action`) === 'select' ? selected(value, path) : asked(value, path),
)

export const inlineData = {
  'inline-image': {
    ref: required(fileRef),
    refDark: optional(fileRef),
    caption: optional(string),
    alt: optional(string),
    size: optional(oneOf(inlineImageSizes)),
  },
  link: { ref: required(ref()) },
  emoji: { code: required(emojiCode) },
  icon: { icon: required(iconName), color: optional(oneOf(textColors)) },
  expression: { expression: required(string) },
  'inline-math': { formula: required(string) },
  annotation: {},
  mention: { ref: required(ref()), label: optional(string) },
  button: {
    label: required(string),
    kind: required(oneOf(buttonKinds)),
    size: optional(oneOf(buttonSizes)),
    icon,
    ref: optional(ref()),
    action: optional(readAction),
  },
} satisfies Record<string, Fields>

export const colorData = { text: required(oneOf(textColors)), background: required(oneOf(textColors)) } satisfies Fields
