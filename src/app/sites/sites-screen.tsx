/** All sites of the organization. */
import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { Frame, Top } from '../frame/frame.tsx'
import { HomeSide } from '../home/home-side.tsx'
import { Button } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { NewSiteDialog } from './publish.tsx'
import { SiteRow } from './row.tsx'

export default function SitesScreen() {
  const { id: organizationId, permissions } = useOrganization()
  const [asking, setAsking] = useState(false)
  const sites = useCall('listSites', { organizationId, query: { limit: 200 } })
  const button = permissions.createContent && (
    <Button kind="primary" icon={Plus} onClick={() => setAsking(true)}>
      {t.sites.new}
    </Button>
  )
  return (
    <Frame side={<HomeSide />}>
      <Top title={t.sites.title}>{button}</Top>
      <h1 className="sr">{t.sites.title}</h1>
      <Loaded query={sites}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Globe} title={t.sites.empty} text={t.sites.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.map((site) => (
                <SiteRow key={site.id} site={site} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asking && <NewSiteDialog onClose={() => setAsking(false)} />}
    </Frame>
  )
}
