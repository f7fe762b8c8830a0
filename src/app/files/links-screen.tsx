/** Links that lead nowhere, page by page; each opens the page at the block that it stands in. */

import { useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import { cutTo } from '../../core/text.ts'
import { type Node, nameOf, nodesOf } from '../document/blocks.tsx'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { Empty, Loaded } from '../kit/empty.tsx'
import { pageQuery } from '../pages/content-target.ts'
import { type Output, useCall } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { t } from '../texts/index.ts'

type BrokenLink = Output<'listSpaceLinks'>['items'][number]
type Target = NonNullable<BrokenLink['targetReference']>

interface PageOfLinks {
  id: string
  title: string
  links: { block: string | undefined; problem: string }[]
}

export default function LinksScreen() {
  const { space } = useSpace()
  const links = useCall('listSpaceLinks', { spaceId: space.id, query: { status: 'broken', limit: 500 } })
  return (
    <div className="ui-screen">
      <Top title={t.links.title} crumbs={[{ label: space.title, href: paths.space(space.id) }]} />
      <h1 className="sr">{t.links.title}</h1>
      <Loaded query={links}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Link2Off} title={t.links.empty} text={t.links.emptyText} />
          ) : (
            groupByPage(items).map((page) => <LinksOfPage key={page.id} {...page} />)
          )
        }
      </Loaded>
    </div>
  )
}

/** What the links say is in the page itself, which is read when they come into view. */
function LinksOfPage({ id, title, links }: PageOfLinks) {
  const { space, content } = useSpace()
  const section = useRef<HTMLElement>(null)
  const isSeen = useSeen(section)
  const page = useQuery({ ...pageQuery(content, id), enabled: isSeen })
  const words = useMemo(() => wordsByKey(nodesOf(page.data?.document?.nodes)), [page.data])
  return (
    <section ref={section} className="ui-links-of-page" aria-label={title}>
      <h2>{title}</h2>
      <ul className="ui-list">
        {links.map(({ block, problem }, at) => {
          const text = block === undefined ? undefined : words.get(block)
          return (
            <li key={`${block}-${at}`}>
              <Link
                className="ui-row"
                href={block === undefined ? paths.page(space.id, id) : paths.block(space.id, id, block)}
              >
                <Link2Off size={16} strokeWidth={1.75} aria-hidden="true" />
                <span className="title">
                  {text || problem}
                  {text && ' '}
                  {text && <small>{problem}</small>}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** Whether it has been in view, or nearly. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, see] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && see(true), { rootMargin: '200px' })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isSeen
}

/** The words of everything that has a key, blocks and links alike. */
function wordsByKey(nodes: readonly Node[], found = new Map<string, string>()): Map<string, string> {
  for (const node of nodes) {
    if (node.key !== undefined) found.set(node.key, cutTo(wordsOf(node).trim(), 120) || kindOf(node))
    wordsByKey(node.nodes ?? [], found)
    for (const { nodes: inner = [] } of node.fragments ?? []) wordsByKey(inner, found)
  }
  return found
}

/** What a block without words is called, such as a card or a file. */
const kindOf = ({ type = '', nodes, fragments, data = {} }: Node): string =>
  nodes === undefined && fragments === undefined ? nameOf(type, data) : ''

const wordsOf = ({ text = '', leaves = [], nodes = [] }: Node): string =>
  text + leaves.map((leaf) => leaf.text).join('') + nodes.map(wordsOf).join('')

function groupByPage(items: readonly BrokenLink[]): PageOfLinks[] {
  const pages = new Map<string, PageOfLinks>()
  for (const { targetReference, locationReferences } of items)
    for (const { page, internalLocation } of locationReferences) {
      if (!page) continue
      const found = pages.get(page.id) ?? { id: page.id, title: page.title || t.common.untitled, links: [] }
      found.links.push({ block: internalLocation?.node, problem: problemOf(targetReference) })
      pages.set(page.id, found)
    }
  return [...pages.values()].sort((a, b) => a.title.localeCompare(b.title))
}

function problemOf(target: Target | undefined): string {
  const section = target?.internalLocation?.anchor
  if (target?.page && section !== undefined) return t.links.noSection(section, target.page.title)
  if (target?.url !== undefined) return t.links.noFile(target.url)
  const name = target?.page?.title ?? target?.file?.name
  return name === undefined ? t.links.goneUnknown : t.links.isGone(name)
}
