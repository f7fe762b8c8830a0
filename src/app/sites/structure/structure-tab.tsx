/** What readers see of a site and in which order: spaces, sections and groups, and all that is done with them. */
import { BookOpen, FolderPlus, PanelTop, Plus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Empty, Loaded } from '../../kit/empty.tsx'
import { Menu } from '../../kit/menu.tsx'
import { useCall } from '../../session/client.ts'
import { structureTexts as words } from '../../texts/site-structure.ts'
import type { PartOfSite } from '../site-overview.tsx'
import { nodesOf, type Structure, sectionsOf } from './arrange.ts'
import { type Asked, AskedDialog } from './asked.tsx'
import { Outline } from './outline.tsx'

export function StructureTab({ site, organizationId }: PartOfSite) {
  const structure = useCall('getSiteStructure', { organizationId, siteId: site.id })
  return (
    <Loaded query={structure}>
      {(data) => <Parts site={site} organizationId={organizationId} structure={data} />}
    </Loaded>
  )
}

function Parts({ site, organizationId, structure }: PartOfSite & { structure: Structure }) {
  const ids = { organizationId, siteId: site.id }
  const nodes = useMemo(() => nodesOf(structure), [structure])
  const [question, setQuestion] = useState<{ asked: Asked; number: number } | undefined>()
  const [isOpen, setOpen] = useState(false)
  const ask = (asked: Asked): void => {
    setQuestion({ asked, number: (question?.number ?? 0) + 1 })
    setOpen(true)
  }
  const whole = useRef<HTMLElement>(null)
  useEffect(() => (question && !isOpen ? focusAgain(whole.current, question.asked) : undefined), [question, isOpen])
  const adding = [
    { label: words.addSpace, icon: BookOpen, run: () => ask({ kind: 'space' }) },
    { label: words.addSection, icon: PanelTop, run: () => ask({ kind: 'section' }) },
    // A group without sections would be shown to nobody.
    ...(sectionsOf(nodes).length > 0
      ? [{ label: words.addGroup, icon: FolderPlus, run: () => ask({ kind: 'group' }) }]
      : []),
  ]
  return (
    <section aria-labelledby="site-structure" ref={whole}>
      <header className="ui-heading">
        <h2 id="site-structure">{words.title}</h2>
        {nodes.length > 0 && (
          <Menu
            label={words.add}
            entries={adding}
            button={
              <button type="button" className="ui-button primary">
                <Plus size={16} strokeWidth={1.75} aria-hidden="true" />
                <span>{words.add}</span>
              </button>
            }
          />
        )}
      </header>
      {nodes.length === 0 ? (
        <Empty icon={BookOpen} title={words.emptyTitle} text={words.emptyText}>
          <Button kind="primary" icon={Plus} onClick={() => ask({ kind: 'space' })}>
            {words.addSpace}
          </Button>
        </Empty>
      ) : (
        <>
          <p className="ui-quiet">{words.about}</p>
          <Outline nodes={nodes} ids={ids} ask={ask} />
          <p className="ui-hint">{words.order}</p>
        </>
      )}
      {question && (
        <AskedDialog
          key={question.number}
          asked={question.asked}
          open={isOpen}
          onClose={() => setOpen(false)}
          site={site}
          ids={ids}
          nodes={nodes}
        />
      )}
    </section>
  )
}

/** A dialog that a menu opened does not know where the focus was: it goes to the part that was asked about, or to what adds. */
function focusAgain(whole: HTMLElement | null, asked: Asked): () => void {
  const timer = setTimeout(() => {
    if (!whole || document.activeElement !== document.body) return
    const part = 'node' in asked ? asked.node.id : ''
    const found = whole.querySelector<HTMLElement>(`[data-part="${part}"] .title`)
    const button = whole.querySelector<HTMLElement>('button')
    ;(found ?? button)?.focus()
  }, 50)
  return () => clearTimeout(timer)
}
