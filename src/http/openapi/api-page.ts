/** docs/api.md: the API in words, made from the OpenAPI document, section by section. `npm run openapi` writes both. */

interface Schema {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
  required?: string[]
}

interface Content {
  content?: Record<string, { schema?: Schema }>
}

interface Described {
  operationId: string
  tags?: string[]
  summary?: string
  deprecated?: boolean
  'x-permission'?: string
  parameters?: { name?: string; in?: string; required?: boolean }[]
  requestBody?: Content
  responses: Record<string, Content>
}

/** What this page reads of the OpenAPI document. */
export interface ApiDocument {
  tags: { name: string }[]
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

export function apiPage(document: ApiDocument): string {
  const sections = document.tags.map(({ name }) => sectionOf(document, name))
  return `${introduction}\n${sections.join('\n')}`
}

const introduction = `# The API

Everything in Lectern is done through one JSON API below \`/v1\`. This page is made from the contract (\`src/contract\`), as
\`/v1/openapi.json\` and \`/reference\` are: \`npm run openapi\` writes it, and a test compares it with the rows.

- **Who calls.** \`Authorization: Bearer <token>\`. The permission that an operation asks for stands in its row; \`account\` is
  any valid token, \`anyone\` needs none. What the caller may not see is 404; what they see but may not do is 403.
- **Lists** take \`limit\` (1 to 1000, 50 unless given) and \`page\`, the opaque token in \`next.page\` of the answer before.
- **Errors** are \`{"error": {"code", "type", "message", "details", "requestId"}}\`: the HTTP status, a word for programs, a
  sentence for people, and the fields it is about.
- **Reading again.** Every GET answers an \`ETag\` and takes \`If-None-Match\`; writes take \`If-Match\`.
- **Sending again.** A POST with an \`Idempotency-Key\` is carried out once in 24 hours, however often it is sent.
- **Deleting** what is not there answers 204, as deleting what is.

Below, \`S\` is \`/v1/spaces/{spaceId}\`, \`CR\` is \`S/change-requests/{changeRequestId}\`, \`O\` is \`/v1/orgs/{organizationId}\` and
\`SITE\` is \`O/sites/{siteId}\`. A field or parameter in **bold** is required.
`

const shorthands: readonly [start: string, short: string][] = [
  ['/spaces/{spaceId}/change-requests/{changeRequestId}', 'CR'],
  ['/spaces/{spaceId}', 'S'],
  ['/orgs/{organizationId}/sites/{siteId}', 'SITE'],
  ['/orgs/{organizationId}', 'O'],
]

function sectionOf(document: ApiDocument, tag: string): string {
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]) => rowOf(document, method, path, operation)),
  )
  const head = '| operation | does | needs | parameters | body | answers |\n| --- | --- | --- | --- | --- | --- |'
  return `## ${tag}\n\n${head}\n${rows.join('\n')}\n`
}

function rowOf(document: ApiDocument, method: string, path: string, operation: Described): string {
  const [long, short] = shorthands.find(([start]) => path === start || path.startsWith(`${start}/`)) ?? ['', '']
  const words = operation.deprecated ? `${operation.summary} (deprecated)` : operation.summary
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return `| \`${method.toUpperCase()} ${short}${path.slice(long.length)}\` | ${[
    words,
    operation['x-permission'],
    query.map(({ name, required }) => nameOf(name, required)).join(', '),
    bodyOf(document, operation.requestBody),
    answersOf(operation.responses),
  ]
    .map((cell) => String(cell ?? '').replaceAll('|', '\\|'))
    .join(' | ')} |`
}

const nameOf = (name: string | undefined, required: boolean | undefined): string =>
  required ? `**\`${name}\`**` : `\`${name}\``

function bodyOf(document: ApiDocument, requestBody: Content | undefined): string {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || content === undefined) return ''
  if (type !== 'application/json') return 'a form with files'
  const fields = fieldsOf(document, content.schema)
  return [...fields].map(([name, required]) => nameOf(name, required)).join(', ')
}

/** The fields of a body; of one that has several forms, those of all. */
export function fieldsOf(document: ApiDocument, schema: Schema | undefined): Map<string, boolean> {
  const fields = new Map<string, boolean>()
  const add = (part: Schema | undefined, optional: boolean): void => {
    if (part === undefined) return
    if (part.$ref) add(document.components.schemas[part.$ref.split('/').at(-1) ?? ''], optional)
    for (const other of part.allOf ?? []) add(other, optional)
    for (const other of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) add(other, true)
    for (const name of Object.keys(part.properties ?? {}))
      if (!fields.has(name)) fields.set(name, !optional && (part.required ?? []).includes(name))
  }
  add(schema, false)
  return fields
}

function answersOf(responses: Described['responses']): string {
  return Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, { content }]) => {
      const [type, { schema = {} } = {}] = Object.entries(content ?? {})[0] ?? []
      const name = nameOfSchema(schema)
      return type === undefined
        ? status
        : type === 'application/json'
          ? `${status} ${name}`.trim()
          : `${status} \`${type}\``
    })
    .join(', ')
}

function nameOfSchema(schema: Schema): string {
  const item = schema.properties?.items?.items
  return schema.$ref?.split('/').at(-1) ?? (item?.$ref ? `list of ${item.$ref.split('/').at(-1)}` : '')
}
