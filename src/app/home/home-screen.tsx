/** The first screen: what needs me, and where was I? */
import { Screen } from '../frame/frame.tsx'
import { Loaded } from '../kit/empty.tsx'
import { useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'

export function HomeScreen() {
  const { id: organizationId } = useOrganization()
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  return (
    <Screen title={t.home.title} side={null}>
      <Loaded query={spaces}>
        {({ items }) => (
          <ul>
            {items.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
        )}
      </Loaded>
    </Screen>
  )
}
