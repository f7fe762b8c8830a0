/** Who may do what in the space that is being worked in. */
import { PeopleWithRights } from '../rights/people-with-rights.tsx'
import { useSpace } from './space-context.tsx'

export function SpacePeople() {
  const { space } = useSpace()
  return (
    <PeopleWithRights
      shared={{
        kind: 'space',
        id: space.id,
        organizationId: space.organization,
        title: space.title,
        parent: space.parent,
        defaultLevel: space.defaultLevel,
        canAdminister: space.permissions.admin,
      }}
    />
  )
}
