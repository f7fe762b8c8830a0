/** How an operation is called: by curl, in JavaScript and in Python, and as the spec itself shows it. */
import { cutTo } from '../text.ts'
import { type JsonObject, objectsAt, textAt } from './json.ts'
import type { ContentView, OperationView } from './operation-view.ts'

export interface CodeSample {
  label: string
  syntax: string
  code: string
}

type Call = Omit<OperationView, 'samples'>

interface Parts {
  method: string
  url: string
  headers: [string, string][]
  body?: { type: string; text: string } | undefined
}

export function samplesOf(call: Call, operation: JsonObject): CodeSample[] {
  const own = [...objectsAt(operation, 'x-codeSamples'), ...objectsAt(operation, 'x-code-samples')].flatMap(
    (sample) => {
      const code = textAt(sample, 'source')
      const syntax = textAt(sample, 'lang') ?? ''
      return code === undefined
        ? []
        : [{ label: textAt(sample, 'label') ?? syntax, syntax: syntax.toLowerCase(), code }]
    },
  )
  if (call.isWebhook) return own
  const parts = partsOf(call)
  const made = [
    { label: 'curl', syntax: 'bash', code: curl(parts) },
    { label: 'JavaScript', syntax: 'javascript', code: javascript(parts) },
    { label: 'Python', syntax: 'python', code: python(parts) },
  ]
  return [...own.slice(0, 12), ...made.filter(({ syntax }) => !own.some((one) => one.syntax === syntax))]
}

/** The address as the samples and the panel that calls it write it: parameters in the path stay in braces. */
const urlOf = ({ servers, path }: Pick<Call, 'servers' | 'path'>): string => `${servers[0]?.url ?? ''}${path}`

function partsOf(call: Call): Parts {
  const required = call.parameters.filter((parameter) => parameter.required)
  const query = required.filter((parameter) => parameter.in === 'query')
  const auth = call.auth[0] ?? []
  const keys = [
    ...query.map(
      ({ name, example }) =>
        `${encodeURIComponent(name)}=${encodeURIComponent(example ?? `{${name}}`)
          .replace(/%7B/g, '{')
          .replace(/%7D/g, '}')}`,
    ),
    ...required.flatMap(({ in: location, name, example }) =>
      location === 'querystring' ? [example ?? `{${name}}`] : [],
    ),
    ...auth.flatMap((scheme) => (scheme.kind === 'query' ? [`${scheme.field}=YOUR_KEY`] : [])),
  ]
  const headers: [string, string][] = auth.flatMap((scheme): [string, string][] => {
    if (scheme.kind === 'bearer' || scheme.kind === 'oauth2') return [['Authorization', 'Bearer YOUR_TOKEN']]
    if (scheme.kind === 'basic') return [['Authorization', 'Basic BASE64_OF_NAME_AND_PASSWORD']]
    if (scheme.kind === 'header') return [[scheme.field ?? scheme.name, 'YOUR_KEY']]
    if (scheme.kind === 'cookie') return [['Cookie', `${scheme.field}=YOUR_KEY`]]
    return []
  })
  for (const { name, example } of required.filter((parameter) => parameter.in === 'header'))
    headers.push([name, example ?? `{${name}}`])
  const content = contentToSend(call)
  const text = content?.examples[0]?.text
  return {
    method: call.method.toUpperCase(),
    url: urlOf(call) + (keys.length === 0 ? '' : `?${keys.join('&')}`),
    headers,
    ...(content && text !== undefined ? { body: { type: content.type, text: cutTo(text, 4_000) } } : {}),
  }
}

/** The content that a caller sends, with a type that can be sent: a range such as any type at all is no `Content-Type`. */
export function contentToSend({ body }: Pick<Call, 'body'>): ContentView | undefined {
  const content = body?.contents.find(({ type }) => /json/.test(type)) ?? body?.contents[0]
  if (!content?.type.includes('*')) return content
  const isText = content.examples[0] !== undefined && content.examples[0].syntax !== 'json'
  return { ...content, type: isText ? 'text/plain' : 'application/json' }
}

function curl({ method, url, headers, body }: Parts): string {
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quote(url)}`,
    ...headers.map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ]
  if (body && /json|text|xml|yaml/.test(body.type))
    lines.push(`-H ${quote(`Content-Type: ${body.type}`)}`, `-d ${quote(body.text)}`)
  else if (body)
    lines.push(
      ...formOf(body).map(
        ([name, value]) => `${isMultipart(body) ? '-F' : '--data-urlencode'} ${quote(`${name}=${value}`)}`,
      ),
    )
  return lines.join(' \\\n  ')
}

/** Inside single quotes a shell knows no signs but the quote itself. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

function javascript({ method, url, headers, body }: Parts): string {
  // Whoever sends a form of parts chooses what parts them, and says so in this header.
  const all = body && !isMultipart(body) ? [...headers, ['Content-Type', body.type] as [string, string]] : headers
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(all.length === 0 ? [] : [`  headers: ${indent(JSON.stringify(Object.fromEntries(all), null, 2))},`]),
    ...(body
      ? [
          `  body: ${bodyOf(
            body,
            (text) => `JSON.stringify(${indent(text)})`,
            (entries) =>
              isMultipart(body)
                ? 'form'
                : `new URLSearchParams(${indent(JSON.stringify(Object.fromEntries(entries), null, 2))})`,
          )},`,
        ]
      : []),
  ]
  const call =
    options.length === 0
      ? `fetch(${JSON.stringify(url)})`
      : `fetch(${JSON.stringify(url)}, {\n${options.join('\n')}\n})`
  const before =
    body && isMultipart(body)
      ? `const form = new FormData()\n${formOf(body)
          .map((entry) => `form.append(${argumentsOf(entry)})\n`)
          .join('')}\n`
      : ''
  return `${before}const response = await ${call}\nconsole.log(response.status, await response.text())`
}

function python({ method, url, headers, body }: Parts): string {
  const lines = [
    `    ${JSON.stringify(url)},`,
    ...(headers.length === 0
      ? []
      : [`    headers=${indent(JSON.stringify(Object.fromEntries(headers), null, 4), 4)},`]),
    ...(body
      ? [
          `    ${bodyOf(
            body,
            (text) => `json=${indent(pythonic(text), 4)}`,
            (entries) =>
              isMultipart(body)
                ? `files={\n${entries.map(([name, value]) => `        ${JSON.stringify(name)}: (None, ${JSON.stringify(value)}),\n`).join('')}    }`
                : `data=${indent(JSON.stringify(Object.fromEntries(entries), null, 4), 4)}`,
            'data=',
          )},`,
        ]
      : []),
  ]
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n${lines.join('\n')}\n)\nprint(response.status_code, response.text)`
}

function bodyOf(
  body: { type: string; text: string },
  json: (text: string) => string,
  form: (entries: [string, string][]) => string,
  prefix = '',
): string {
  if (/json/.test(body.type)) return isJson(body.text) ? json(body.text) : prefix + JSON.stringify(body.text)
  if (/form/.test(body.type)) return form(formOf(body))
  return prefix + JSON.stringify(body.text)
}

const isMultipart = ({ type }: { type: string }): boolean => /multipart/.test(type)

const argumentsOf = (entry: [string, string]): string => entry.map((text) => JSON.stringify(text)).join(', ')

function formOf({ text }: { text: string }): [string, string][] {
  if (!isJson(text)) return []
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).map(([name, item]) => [name, typeof item === 'string' ? item : JSON.stringify(item)])
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON with Python's names of true, false and null; what stands in quotes stays. */
const pythonic = (json: string): string =>
  json.replace(
    /"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b/g,
    (found) => ({ true: 'True', false: 'False', null: 'None' })[found] ?? found,
  )

const indent = (text: string, by = 2): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)
