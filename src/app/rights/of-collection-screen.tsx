/** Who may do what in a collection and in all that is in it. */
import { Redirect, useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Loaded } from '../kit/empty.tsx'
import { useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import { PeopleWithRights } from './people-with-rights.tsx'

export default function OfCollectionScreen() {
  const { collection: collectionId = '' } = useParams<{ collection: string }>()
  const collection = useCall('getCollectionById', { collectionId })
  return (
    <Frame side={<HomeSide />}>
      <Loaded query={collection}>
        {({ id, title, organization, parent, defaultLevel, permissions }) =>
          permissions.admin ? (
            <>
              <Top title={texts.rights.people} crumbs={[{ label: title || t.common.untitled, href: paths.home }]} />
              <header className="ui-request-head">
                <h1>{texts.rights.peopleOf(title || t.common.untitled)}</h1>
                <p className="ui-request-meta">{texts.rights.collectionText}</p>
              </header>
              <PeopleWithRights
                shared={{
                  kind: 'collection',
                  id,
                  title,
                  organizationId: organization,
                  parent,
                  defaultLevel,
                  canAdminister: true,
                }}
              />
            </>
          ) : (
            <Redirect to={paths.home} replace />
          )
        }
      </Loaded>
    </Frame>
  )
}
