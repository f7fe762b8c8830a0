/** Choosing a page of a site: the space, then the page, found by its title where there are many. */
import { useState } from 'react'
import { Waiting } from '../../kit/empty.tsx'
import { Select, TextField } from '../../kit/field.tsx'
import { type PageNode, usePages } from '../../pages/content-target.ts'
import { t } from '../../texts/index.ts'
import { redirectTexts as words } from '../../texts/redirects.ts'
import { nameOf, type SiteSpace } from '../structure/arrange.ts'

interface PageChoiceProps {
  spaces: readonly SiteSpace[]
  siteSpace: string
  page: string
  onChoose: (siteSpace: string, page: string) => void
}

/** So many are offered without looking for one. */
const few = 30
const mostOffered = 200

export function PageChoice({ spaces, siteSpace, page, onChoose }: PageChoiceProps) {
  const chosen = spaces.find(({ id }) => id === siteSpace)
  return (
    <>
      {spaces.length > 1 && (
        <Select
          label={words.space}
          value={siteSpace}
          onChange={({ target }) => onChoose(target.value, '')}
          options={spaces.map((space) => ({ value: space.id, label: nameOf(space) }))}
        />
      )}
      {chosen && (
        <PagesOf key={siteSpace} space={chosen.space.id} page={page} onChoose={(id) => onChoose(siteSpace, id)} />
      )}
    </>
  )
}

function PagesOf({ space, page, onChoose }: { space: string; page: string; onChoose: (page: string) => void }) {
  const pages = usePages({ space })
  const [sought, setSought] = useState('')
  if (pages.error) return <p className="ui-quiet">{words.notYours}</p>
  if (!pages.data) return <Waiting lines={1} />
  const all = pages.data.flatMap((node) => pathsIn(node, []))
  if (all.length === 0) return <p className="ui-quiet">{words.noPages}</p>
  const matching = all.filter(({ label }) => label.toLocaleLowerCase().includes(sought.trim().toLocaleLowerCase()))
  const offered = matching.slice(0, mostOffered)
  const current = all.find(({ value }) => value === page)
  const isListed = offered.some(({ value }) => value === page)
  return (
    <>
      {all.length > few && (
        <TextField
          label={words.findPage}
          value={sought}
          onChange={({ target }) => setSought(target.value)}
          // What is found is chosen below; Enter here sends nothing yet.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <Select
        label={words.page}
        hint={matching.length === 0 ? words.noPage : undefined}
        value={page}
        onChange={({ target }) => onChoose(target.value)}
        options={[...(current && isListed ? [] : [current ?? { value: '', label: '–' }]), ...offered]}
      />
    </>
  )
}

interface Option {
  value: string
  label: string
}

function pathsIn(node: PageNode, above: readonly string[]): Option[] {
  const trail = [...above, node.title || t.common.untitled]
  const below = (node.pages ?? []).flatMap((page) => pathsIn(page, trail))
  return node.type === 'document' ? [{ value: node.id, label: trail.join(' › ') }, ...below] : below
}
