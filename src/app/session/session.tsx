/** Who is here, and in which organization. Nothing below is shown before both are known. */
import { createContext, type ReactNode, useContext } from 'react'
import { CallFailed } from '../../client/client.ts'
import { Failed, Waiting } from '../kit/empty.tsx'
import { type Output, useCall } from './client.ts'
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

const organizationKey = 'lectern-organization'

export function SessionProvider({ children }: { children: ReactNode }) {
  const user = useCall('getAuthenticatedUser', {}, { staleTime: 5 * 60_000 })
  const organizations = useCall('listOrganizationsForAuthenticatedUser', { query: { limit: 200 } })
  const [chosen, choose] = useStored(organizationKey, '')
  const error = user.error ?? organizations.error
  // Someone who is not signed in is on the way to the sign-in page.
  if (error && !(error instanceof CallFailed && error.status === 401)) {
    const retry = (): void => void Promise.all([user.refetch(), organizations.refetch()])
    return <Failed error={error} onRetry={retry} />
  }
  if (!user.data || !organizations.data) return <Waiting />
  const all = organizations.data.items
  const organization = all.find(({ id }) => id === chosen) ?? all[0]
  return (
    <SessionContext value={{ user: user.data, organizations: all, organization, chooseOrganization: choose }}>
      {children}
    </SessionContext>
  )
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
export const rememberOrganization = (id: string): void => stored.set(organizationKey, id)
