/** What changed, page by page and block by block: added, removed, moved, and word by word inside a block. */
import { ChevronDown, ChevronUp, FileText, MessageSquarePlus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Comments } from '../comments/comments.tsx'
import { useHasDraft } from '../comments/drafts.ts'
import { Block, Blocks, Marked, type Node, nameOf, nodesOf } from '../document/blocks.tsx'
import { IconButton } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { isTyping } from '../kit/typing.ts'
import type { ContentTarget } from '../pages/content-target.ts'
import type { Output } from '../session/client.ts'
import { changesTexts } from '../texts/changes.ts'
import { t } from '../texts/index.ts'

type Changes = Output<'getChangeRequestChanges'>
type Change = Changes['changes'][number]
type BlockChange = NonNullable<Change['blocks']>[number]

interface DiffViewProps {
  query: { data: Changes | undefined; error: unknown; refetch: () => unknown }
  pageHref: (page: string) => string
  /** Where comments on single blocks go; none where nobody comments. */
  comments?: ContentTarget | undefined
}

export function DiffView({ query, pageHref, comments }: DiffViewProps) {
  const region = useRef<HTMLElement>(null)
  const step = (by: number): void => {
    const marks = [...(region.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
    if (marks.length === 0) return
    const now = marks.findIndex((mark) => mark === document.activeElement || mark.contains(document.activeElement))
    const next = marks[(now === -1 ? (by > 0 ? 0 : marks.length - 1) : now + by + marks.length) % marks.length]
    next?.focus()
    next?.scrollIntoView({ block: 'center' })
  }
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (isTyping(event)) return
      if (event.key === 'n') step(1)
      else if (event.key === 'p') step(-1)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <section className="ui-diff" aria-label={changesTexts.diff} ref={region}>
      <Loaded query={query}>
        {({ changes, more }) =>
          changes.length === 0 ? (
            <Empty title={changesTexts.nothingYet} text={changesTexts.nothingYetText} />
          ) : (
            <>
              <div className="ui-diff-tools">
                <IconButton label={changesTexts.previous} shortcut="P" icon={ChevronUp} onClick={() => step(-1)} />
                <IconButton label={changesTexts.next} shortcut="N" icon={ChevronDown} onClick={() => step(1)} />
              </div>
              {changes.map((change) => (
                <ChangeCard key={keyOf(change)} change={change} pageHref={pageHref} comments={comments} />
              ))}
              {more !== undefined && more > 0 && <p className="ui-quiet">{changesTexts.moreChanges(more)}</p>}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

const keyOf = ({ type, page, file, reusableContent }: Change): string =>
  `${type}-${page?.id ?? file?.id ?? reusableContent?.id ?? ''}`

function ChangeCard({
  change,
  pageHref,
  comments,
}: {
  change: Change
  pageHref: (page: string) => string
  comments?: ContentTarget | undefined
}) {
  const { type, page, file, reusableContent, attributes, blocks } = change
  // That the document is another one is told by its blocks.
  const shownAttributes = Object.entries(attributes ?? {}).filter(([name]) => name !== 'document')
  const title = page?.title ?? file?.title ?? reusableContent?.title ?? t.pageSettings.variables
  return (
    <article className="ui-change" data-type={type}>
      <header>
        <FileText size={15} strokeWidth={1.75} aria-hidden="true" />
        <h2>
          {page && type !== 'page_deleted' ? <Link href={pageHref(page.id)}>{title || t.common.untitled}</Link> : title}
        </h2>
        <span className="ui-change-kind" data-kind={type.split('_').at(-1)}>
          {Object.hasOwn(changesTexts.kinds, type) ? Reflect.get(changesTexts.kinds, type) : changesTexts.block.changed}
        </span>
      </header>
      {shownAttributes.length > 0 && (
        <dl className="ui-attributes">
          {shownAttributes.map(([name, { before, after }]) => (
            <div key={name} data-change tabIndex={-1}>
              <dt>{Object.hasOwn(settingNames, name) ? Reflect.get(settingNames, name) : name}</dt>
              <dd>
                {before !== undefined && <del>{shown(before)}</del>} {after !== undefined && <ins>{shown(after)}</ins>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {blocks && <BlockChanges changes={blocks} comments={comments} page={page?.id} />}
    </article>
  )
}

const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

interface BlockChangesProps {
  changes: readonly BlockChange[]
  comments?: ContentTarget | undefined
  page?: string | undefined
}

function BlockChanges(props: BlockChangesProps) {
  return (
    <div className="doc ui-small-doc ui-diff-blocks" dir="auto">
      <ChangeList {...props} />
    </div>
  )
}

/** Runs of blocks of which no more is known than that they did not change are one line. */
function ChangeList({ changes, comments, page }: BlockChangesProps) {
  const parts: ReactNode[] = []
  let unchanged = 0
  const close = (): void => {
    if (unchanged > 0) parts.push(<Unchanged key={`u${parts.length}`} text={changesTexts.unchanged(unchanged)} />)
    unchanged = 0
  }
  for (const change of changes) {
    if (change.kind === 'same' && !hasContent(change)) unchanged += 1
    else {
      close()
      parts.push(<BlockDiff key={`b${parts.length}`} change={change} comments={comments} page={page} />)
    }
  }
  close()
  return parts
}

/** Of blocks that did not change the server may say no more than that. */
const hasContent = ({ before, after, words, children }: BlockChange): boolean =>
  before !== undefined || after !== undefined || words !== undefined || children !== undefined

const Unchanged = ({ text }: { text: string }) => (
  <p className="ui-unchanged">
    <bdi>{text}</bdi>
  </p>
)

function BlockDiff({
  change,
  comments,
  page,
}: {
  change: BlockChange
  comments?: ContentTarget | undefined
  page?: string | undefined
}) {
  const { kind, key } = change
  // What was begun about this block goes on.
  const isBegun = useHasDraft(comments && page && key ? { content: comments, page, node: key } : undefined)
  const [commenting, setCommenting] = useState(isBegun)
  const isChange = kind !== 'same'
  return (
    <div
      className="ui-block-change"
      data-kind={kind}
      {...(isChange ? { 'data-change': '', tabIndex: -1, role: 'group', 'aria-label': changesTexts.block[kind] } : {})}
    >
      {isChange && <span className="ui-block-sign" aria-hidden="true" />}
      <BlockContent change={change} />
      {isChange && comments && page && key && (
        <div className="ui-block-comment">
          <IconButton
            label={t.comments.add}
            icon={MessageSquarePlus}
            aria-expanded={commenting}
            onClick={() => setCommenting(!commenting)}
          />
        </div>
      )}
      {commenting && comments && page && (
        <div className="ui-block-comments">
          <Comments content={comments} page={page} node={key} onClose={() => setCommenting(false)} />
        </div>
      )}
    </div>
  )
}

function BlockContent({ change }: { change: BlockChange }): ReactNode {
  const { type, words, children, parts, table, before, after, fields } = change
  if (words) return <Words type={type} words={words} />
  if (table) return <TableDiff table={table} />
  if (children || parts)
    return (
      <Container type={type}>
        {fields && fields.length > 0 && <p className="ui-hint">{fields.join(', ')}</p>}
        <ChangeList changes={children ?? []} />
        {(parts ?? []).map(({ part, children: below }) => (
          <div key={part} className="ui-block-part">
            <ChangeList changes={below} />
          </div>
        ))}
      </Container>
    )
  const [old] = nodesOf([before])
  const [now] = nodesOf([after])
  if (old && now)
    return (
      <>
        <div className="ui-before">
          <Block node={old} />
        </div>
        <div className="ui-after">
          <Block node={now} />
        </div>
      </>
    )
  const node = now ?? old
  if (node?.type === 'list-item')
    return (
      <Container type={node.type}>
        <Blocks nodes={node.nodes ?? []} />
      </Container>
    )
  return node ? <Block node={node} /> : <p className="ui-block-name">{nameOf(type, {})}</p>
}

function Container({ type, children }: { type: string; children: ReactNode }) {
  // Between a list and its items stand the signs of changes, which no list of HTML may hold.
  if (type.startsWith('list-')) return <div className={type === 'list-item' ? 'ui-block-item' : ''}>{children}</div>
  if (type === 'blockquote') return <blockquote>{children}</blockquote>
  if (type === 'hint')
    return (
      <div className="hint info">
        <div className="hint-body">{children}</div>
      </div>
    )
  if (type === 'code') return <div className="ui-code-diff">{children}</div>
  return <div className="ui-block-part">{children}</div>
}

function Words({ type, words }: { type: string; words: NonNullable<BlockChange['words']> }) {
  const text = words.map(({ kind, text: word, marks, inline }, index) => {
    const [node] = nodesOf([inline])
    const inside = node ? (
      <InlineWords node={node} text={word} />
    ) : (
      <Marked text={word} marks={marks as { type?: string }[]} />
    )
    if (kind === 'added') return <ins key={index}>{inside}</ins>
    if (kind === 'removed') return <del key={index}>{inside}</del>
    return <span key={index}>{inside}</span>
  })
  if (type.startsWith('heading')) return <h3>{text}</h3>
  if (type === 'code-line')
    return (
      <pre className="ui-code-line">
        <code>{text}</code>
      </pre>
    )
  return <p>{text}</p>
}

const InlineWords = ({ node, text }: { node: Node; text: string }) =>
  node.type === 'link' ? (
    <span className="ui-inline-link">{text}</span>
  ) : (
    text || `[${nameOf(node.type ?? '', node.data ?? {})}]`
  )

function TableDiff({ table }: { table: NonNullable<BlockChange['table']> }) {
  return (
    <div className="table-scroll">
      <table>
        <thead>
          <tr>
            {table.columns.map(({ id, title, kind }) => (
              <th key={id} data-kind={kind}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runsOf(table.rows).map(({ id, kind, cells, unchanged }) =>
            unchanged > 0 ? (
              <tr key={id}>
                <td colSpan={table.columns.length}>
                  <Unchanged text={changesTexts.unchangedRows(unchanged)} />
                </td>
              </tr>
            ) : (
              <tr key={id} data-kind={kind}>
                {cells.map((cell) => (
                  <td key={cell.column} data-kind={cell.kind}>
                    {cell.children ? (
                      <ChangeList changes={cell.children} />
                    ) : (
                      <CellValue before={cell.before} after={cell.after} kind={cell.kind} />
                    )}
                  </td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

type Row = NonNullable<BlockChange['table']>['rows'][number]

/** Rows that did not change, next to each other, are one line. */
function runsOf(rows: readonly Row[]): (Row & { unchanged: number })[] {
  const runs: (Row & { unchanged: number })[] = []
  for (const row of rows) {
    const last = runs.at(-1)
    if (row.kind === 'same' && last && last.unchanged > 0) last.unchanged += 1
    else runs.push({ ...row, unchanged: row.kind === 'same' ? 1 : 0 })
  }
  return runs
}

function CellValue({ before, after, kind }: { before: unknown; after: unknown; kind: string }) {
  const text = (value: unknown): string => (value === undefined || value === null ? '' : shown(value))
  if (kind === 'same') return text(after ?? before)
  return (
    <>
      {before !== undefined && <del>{text(before)}</del>} {after !== undefined && <ins>{text(after)}</ins>}
    </>
  )
}

/** The settings of a page in the words of their fields. */
const settingNames = {
  title: t.page.titleLabel,
  slug: t.pageSettings.slug,
  linkTitle: t.pageSettings.linkTitle,
  description: t.page.descriptionLabel,
  hidden: t.pageSettings.hidden,
  noIndex: t.pageSettings.noIndex,
  noRobotsIndex: t.pageSettings.noRobotsIndex,
  condition: t.pageSettings.condition,
  layout: t.pageSettings.layout,
  cover: t.pageSettings.showCover,
  variables: t.pageSettings.variables,
}
