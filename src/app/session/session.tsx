/** Who is here, and in which organization. Nothing below is shown before both are known. */
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { CallFailed } from '../../client/client.ts'
import { Button } from '../kit/button.tsx'
import { Empty, Failed, Waiting } from '../kit/empty.tsx'
import { t } from '../texts/index.ts'
import { call, callQuery, type Output } from './client.ts'
import { goToSignIn } from './leaving.ts'
import { knowPerson, ownKey, useOtherPerson } from './person.ts'
import { stored, useStored } from './stored.ts'

export type User = Output<'getAuthenticatedUser'>
export type Organization = Output<'listOrganizationsForAuthenticatedUser'>['items'][number]

interface Session {
  user: User
  organizations: Organization[]
  /** The one that is being worked in; none when the person belongs to no organization yet. */
  organization: Organization | undefined
  chooseOrganization: (id: string) => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export const userQuery = {
  queryKey: ['getAuthenticatedUser', {}],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<User> => {
    const user = await call('getAuthenticatedUser', { signal })
    knowPerson(user.id)
    return user
  },
  staleTime: 5 * 60_000,
}
export const organizationsQuery = callQuery('listOrganizationsForAuthenticatedUser', { query: { limit: 200 } })

export function SessionProvider({ children }: { children: ReactNode }) {
  const user = useQuery(userQuery)
  const organizations = useQuery(organizationsQuery)
  const [chosen, choose] = useStored(organizationKey(), '')
  const known = user.data
  const all = organizations.data?.items
  const organization = all?.find(({ id }) => id === chosen) ?? all?.[0]
  // The same for as long as nothing of it changes: whatever uses it is drawn again when it does.
  const session = useMemo((): Session | undefined => {
    if (!known || !all) return undefined
    return { user: known, organizations: all, organization, chooseOrganization: choose }
  }, [known, all, organization, choose])
  const other = useOtherPerson()
  useEffect(() => {
    if (other === 'nobody') goToSignIn()
  }, [other])
  const error = user.error ?? organizations.error
  // Someone who is not signed in is on the way to the sign-in page.
  if (error && !(error instanceof CallFailed && error.status === 401)) {
    const retry = (): void => void Promise.all([user.refetch(), organizations.refetch()])
    return <Failed error={error} onRetry={retry} />
  }
  if (!session || other === 'nobody') return <Waiting />
  if (other === 'somebody')
    return (
      <Empty title={t.session.otherPerson} text={t.session.otherPersonText}>
        <Button kind="primary" onClick={() => location.reload()}>
          {t.common.reload}
        </Button>
      </Empty>
    )
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('This part of the app needs a session.')
  return session
}

/** The organization of a screen that cannot do without one. */
export function useOrganization(): Organization {
  const { organization } = useSession()
  if (!organization) throw new Error('This part of the app needs an organization.')
  return organization
}

/** Working on something of another organization switches to that one. */
export const rememberOrganization = (id: string): void => stored.set(organizationKey(), id)

const organizationKey = (): string => ownKey('organization')
