/** A site in a list: whether it is live, its name and where it is read. */
import { Globe } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import type { Output } from '../session/client.ts'
import { t } from '../texts/index.ts'

export type Site = Output<'getSiteById'>

export interface SiteIds {
  organizationId: string
  siteId: string
}

export function SiteRow({ site }: { site: Site }) {
  return (
    <li>
      <Link className="ui-row" href={paths.site(site.id)}>
        <Globe size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="title">{site.title}</span>
        {site.published && site.urls.published && (
          <span className="meta ui-wide-only">{addressOf(site.urls.published)}</span>
        )}
        <span className="ui-state" data-state={site.published ? 'live' : 'off'}>
          {site.published ? t.home.live : t.home.notLive}
        </span>
      </Link>
    </li>
  )
}

export const addressOf = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '')
