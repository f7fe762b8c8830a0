/** Where a redirect leads, in words: the path or address itself, or the name of what it means. */

import { usePages } from '../../pages/content-target.ts'
import { useCall } from '../../session/client.ts'
import { redirectTexts as words } from '../../texts/redirects.ts'
import { trailOf } from '../../tree/rows.ts'
import type { SiteIds } from '../row.tsx'
import { nameOf, nodesOf, type Section, type SiteSpace } from '../structure/arrange.ts'
import type { Redirect } from './redirects.ts'

export interface PartsOfSite {
  sections: readonly Section[]
  spaces: readonly SiteSpace[]
}

/** The sections and spaces of a site in order; undefined until they are known. */
export function usePartsOfSite(ids: SiteIds): PartsOfSite | undefined {
  const structure = useCall('getSiteStructure', ids).data
  if (!structure) return undefined
  const parts = nodesOf(structure).flatMap(function partsIn(node): (typeof node.part)[] {
    return [node.part, ...node.pages.flatMap(partsIn)]
  })
  return {
    sections: parts.flatMap((part) => (part.object === 'site-section' ? [part] : [])),
    spaces: parts.flatMap((part) => (part.object === 'site-space' ? [part] : [])),
  }
}

export function DestinationName({
  destination,
  parts,
}: {
  destination: Redirect['destination']
  parts: PartsOfSite | undefined
}) {
  if (destination.kind === 'external') return destination.url
  if (destination.kind === 'path') return destination.path
  if (!parts) return null
  if (destination.kind === 'site-section') {
    const section = parts.sections.find(({ id }) => id === destination.siteSection)
    return section ? section.title : <Gone />
  }
  const siteSpace = parts.spaces.find(({ id }) => id === destination.siteSpace)
  if (!siteSpace) return <Gone />
  if (destination.kind === 'site-space') return nameOf(siteSpace)
  return <PageName siteSpace={siteSpace} page={destination.page} />
}

const Gone = () => <span className="ui-problem">{words.isGone}</span>

function PageName({ siteSpace, page }: { siteSpace: SiteSpace; page: string }) {
  const pages = usePages({ space: siteSpace.space.id })
  // Whoever does not see the space by itself does not see its pages here.
  if (pages.isError) return words.aPage(nameOf(siteSpace))
  if (!pages.data) return null
  const trail = trailOf(pages.data, page)
  return trail.length === 0 ? <Gone /> : [nameOf(siteSpace), ...trail.map(({ title }) => title)].join(' › ')
}
