/**
 * Blocks to be read, not edited: in changes, comments, history and conflicts. The same elements and classes as published
 * sites have, from whatever the API answered; a block this file does not know shows the text inside it.
 */
import { Fragment, type ReactNode } from 'react'
import { safeUrl } from '../../core/safe-url.ts'
import { useCall } from '../session/client.ts'
import { blockNamesEn, partNamesEn } from '../texts/en/block-names.ts'
import { german } from '../texts/index.ts'
import { emojiOf } from '../tree/page-icon.tsx'

export interface Node {
  object: string
  type?: string | undefined
  key?: string | undefined
  text?: string
  marks?: { type?: string }[]
  leaves?: { text: string; marks?: { type?: string }[] }[]
  data?: Record<string, unknown>
  nodes?: Node[]
  fragments?: { type?: string; fragment?: string; nodes?: Node[] }[]
}

/** What came over the network, as far as it is a node. */
export function nodesOf(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter((node): node is Node => typeof node?.object === 'string') : []
}

export const Blocks = ({ nodes }: { nodes: readonly Node[] }) =>
  nodes.map((node, index) => <Block key={node.key ?? index} node={node} />)

export function Block({ node }: { node: Node }): ReactNode {
  const { type = '', data = {} } = node
  const nodes = node.nodes ?? []
  const inside = <Blocks nodes={nodes} />
  switch (type) {
    case 'paragraph':
      return (
        <p>
          <Inlines nodes={nodes} />
        </p>
      )
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return <HeadingBlock level={Number(type.at(-1)) + 1} nodes={nodes} />
    case 'list-ordered':
      return <ol start={typeof data.start === 'number' ? data.start : undefined}>{inside}</ol>
    case 'list-unordered':
      return <ul>{inside}</ul>
    case 'list-tasks':
      return (
        <ul className="tasks">
          {nodes.map((item, index) => (
            <li key={item.key ?? index}>
              <span className={item.data?.checked ? 'task done' : 'task'} aria-hidden="true" />
              <div>
                <Blocks nodes={item.nodes ?? []} />
              </div>
            </li>
          ))}
        </ul>
      )
    case 'list-item':
      return <li>{inside}</li>
    case 'blockquote':
      return <blockquote>{inside}</blockquote>
    case 'hint':
      return (
        <div className={`hint ${textOf(data.style) || 'info'}`}>
          <div className="hint-body">{inside}</div>
        </div>
      )
    case 'code':
      return (
        <div className="code">
          {data.title !== undefined && <div className="code-title">{textOf(data.title)}</div>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keyboard. */}
          <pre tabIndex={0}>
            <code>{nodes.map(plainText).join('\n')}</code>
          </pre>
        </div>
      )
    case 'code-line':
      return (
        <pre>
          <code>{plainText(node)}</code>
        </pre>
      )
    case 'divider':
      return <hr />
    case 'math':
      return (
        <pre>
          <code>{textOf(data.formula)}</code>
        </pre>
      )
    case 'images':
      return <figure className="figure">{inside}</figure>
    case 'image':
    case 'file':
    case 'embed':
    case 'content-ref':
    case 'reusable-content':
      return <p className="ui-block-name">{nameOf(type, data)}</p>
    case 'table':
      return <TableBlock node={node} />
    case 'stepper':
      return (
        <ol className="stepper">
          {nodes.map((step, index) => (
            <li key={step.key ?? index} className="step">
              <span className="step-badge number" aria-hidden="true" />
              <div className="step-body">
                <Blocks nodes={step.nodes ?? []} />
              </div>
            </li>
          ))}
        </ol>
      )
    case 'tabs-item':
    case 'column':
    case 'expandable':
      return (
        <div className="ui-block-part">
          {typeof data.title === 'string' && <strong>{data.title}</strong>}
          {fragmentsOf(node).map(({ name, nodes: below }) => (
            <Blocks key={name} nodes={below} />
          ))}
          {inside}
        </div>
      )
    default:
      return (
        <div className="ui-block-part">
          {nodes.length === 0 && fragmentsOf(node).length === 0 && (
            <p className="ui-block-name">{nameOf(type, data)}</p>
          )}
          {fragmentsOf(node).map(({ name, nodes: below }) => (
            <Blocks key={name} nodes={below} />
          ))}
          {inside}
        </div>
      )
  }
}

function HeadingBlock({ level, nodes }: { level: number; nodes: readonly Node[] }) {
  const Tag = level === 2 ? 'h2' : level === 3 ? 'h3' : 'h4'
  return (
    <div className={`heading h${level}`}>
      <Tag>
        <Inlines nodes={nodes} />
      </Tag>
    </div>
  )
}

function TableBlock({ node }: { node: Node }) {
  const definition = recordOf(node.data?.definition)
  const columns = Object.entries(definition)
  const order = stringsOf(recordOf(node.data?.view).columns)
  const shown = order.length > 0 ? order.filter((id) => id in definition) : columns.map(([id]) => id)
  const records = Object.entries(recordOf(node.data?.records))
  const fragments = new Map(fragmentsOf(node).map(({ name, nodes }) => [name, nodes]))
  return (
    <div className="table-scroll">
      <table>
        <thead>
          <tr>
            {shown.map((id) => {
              const title = textOf(recordOf(definition[id]).title)
              return title === '' ? <td key={id} /> : <th key={id}>{title}</th>
            })}
          </tr>
        </thead>
        <tbody>
          {records.map(([row, record]) => (
            <tr key={row}>
              {shown.map((id) => {
                const value = recordOf(recordOf(record).values)[id]
                const cell = typeof value === 'string' ? fragments.get(value) : undefined
                return <td key={id}>{cell ? <Blocks nodes={cell} /> : textOf(value)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Inlines = ({ nodes }: { nodes: readonly Node[] }) =>
  nodes.map((node, index) => <Inline key={node.key ?? index} node={node} />)

function Inline({ node }: { node: Node }): ReactNode {
  if (node.object === 'text') {
    if (node.leaves)
      return node.leaves.map((leaf, index) => <Marked key={index} text={leaf.text} marks={leaf.marks ?? []} />)
    return <Marked text={node.text ?? ''} marks={node.marks ?? []} />
  }
  const { type = '', data = {} } = node
  const inside = <Inlines nodes={node.nodes ?? []} />
  if (type === 'link') {
    const ref = recordOf(data.ref)
    const href = ref.kind === 'url' && typeof ref.url === 'string' ? safeUrl(ref.url) : undefined
    return href ? (
      <a href={href} target="_blank" rel="noreferrer">
        {inside}
      </a>
    ) : (
      <span className="ui-inline-link">{inside}</span>
    )
  }
  if (type === 'emoji') return <span className="emoji">{emojiOf(textOf(data.code))}</span>
  if (type === 'inline-math') return <code>{textOf(data.formula)}</code>
  if (type === 'expression') return <code>{`{{ ${textOf(data.expression)} }}`}</code>
  if (type === 'annotation') return <Fragment>{inside}</Fragment>
  if (type === 'mention') return <Mention data={data} />
  if (type === 'button') return <span className="ui-block-name">{textOf(data.label) || nameOf(type, data)}</span>
  return <span className="ui-block-name">{nameOf(type, data)}</span>
}

/** People are known by their names. */
function Mention({ data }: { data: Record<string, unknown> }): ReactNode {
  const { kind, user } = recordOf(data.ref)
  const userId = kind === 'user' ? textOf(user) : ''
  const person = useCall('getUserById', { userId }, { enabled: userId !== '', staleTime: 60 * 60_000 })
  const name = person.data?.displayName ?? textOf(data.label)
  return <span className="mention">{name || nameOf('mention', data)}</span>
}

const tags = {
  bold: 'strong',
  italic: 'em',
  code: 'code',
  strikethrough: 's',
  superscript: 'sup',
  subscript: 'sub',
  keyboard: 'kbd',
} as const

export function Marked({ text, marks }: { text: string; marks: readonly { type?: string }[] }): ReactNode {
  const [first, ...rest] = marks
  if (!first) return text
  const inside = <Marked text={text} marks={rest} />
  const { type = '' } = first
  const Tag = Object.hasOwn(tags, type) ? tags[type as keyof typeof tags] : undefined
  return Tag ? <Tag>{inside}</Tag> : inside
}

function plainText(node: Node): string {
  if (node.object === 'text') return node.leaves ? node.leaves.map(({ text }) => text).join('') : (node.text ?? '')
  if (node.type === 'emoji') return emojiOf(textOf(node.data?.code))
  return (node.nodes ?? []).map(plainText).join('')
}

/** A block without text, by what it is and what it points at. */
const names = { ...(german?.blockNames ?? blockNamesEn), ...(german?.partNames ?? partNamesEn) }

export function nameOf(type: string, data: Record<string, unknown>): string {
  const ref = recordOf(data.ref)
  const what =
    textOf(data.alt) ||
    textOf(data.title) ||
    textOf(data.url) ||
    textOf(ref.url) ||
    textOf(ref.file) ||
    textOf(ref.page)
  const kind: string = Object.hasOwn(names, type) ? Reflect.get(names, type) : type
  return what === '' ? kind : `${kind}: ${what}`
}

function fragmentsOf(node: Node): { name: string; nodes: Node[] }[] {
  return (node.fragments ?? []).map(({ fragment, type, nodes }) => ({
    name: fragment ?? type ?? '',
    nodes: nodes ?? [],
  }))
}

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : Array.isArray(value)
        ? value.map(textOf).join(', ')
        : ''
const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
