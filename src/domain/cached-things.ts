/**
 * Spaces and organizations as a caller meets them, which nearly every request begins with: in memory for as long as their rows and all
 * that decides what the caller may do with them stay as they are.
 */
import { type Level, organizationLevel, type Permissions, permissionsOf } from '../core/permissions.ts'
import { cachedRows } from '../store/cached-rows.ts'
import type { SpaceRow } from '../store/content/spaces.ts'
import { type CommitVersion, type Connection, isDatabase } from '../store/database.ts'
import { findSpaceFor, type Grants, levelOn, type Membership } from '../store/people/access.ts'
import { findOrganizationFor, type OrganizationForUser } from '../store/people/organizations.ts'

/** A space, and whose eyes it is seen with. */
export type SpaceForUser = SpaceRow &
  Membership &
  Partial<Grants> & {
    specStamp?: string | null
    /** The published sites that show it, as `readShowing` reads them; only where it was read for an answer. */
    shownOn?: string | null
    level: Level
    permissions: Permissions<'space'>
  }

export type OrganizationThing = OrganizationForUser & { permissions: Permissions<'organization'> }

interface Named {
  id: string
  /** Who meets it. */
  userId: string
}

const spaces = cachedRows<SpaceForUser, undefined>('spaces', { share: 0.02 })
const organizations = cachedRows<OrganizationThing, undefined>('organizations', { share: 0.005 })

/** What the row of a space and that of an organization take in memory, about. */
const spaceBytes = 2500
const organizationBytes = 2000

/** Most who read a space show its address, and are given the sites that show it; of those who write hardly any do. */
export const cachedSpace = (db: Connection, p: Named, commitVersion?: CommitVersion) => {
  const read = async () => {
    const row = await findSpaceFor(db, p, { forCache: isDatabase(db) })
    if (!row) return undefined
    const finding = levelOn(db, row, p.userId)
    const level = typeof finding === 'string' ? finding : await finding
    const value = Object.assign(row, { level, permissions: permissionsOf('space', { level }) })
    const versions = [
      { topic: row.id, version: row.spaceVersion ?? null },
      { topic: row.organizationId, version: row.organizationVersion ?? null },
    ]
    return { value, versions, bytes: spaceBytes + (row.shownOn?.length ?? 0) }
  }
  return spaces(db, `${p.userId} ${p.id}`, read, commitVersion)
}

export const cachedOrganization = (db: Connection, p: Named, commitVersion?: CommitVersion) => {
  const read = async () => {
    const row = await findOrganizationFor(db, p)
    if (!row) return undefined
    const value = Object.assign(row, { permissions: organizationPermissions(row) })
    return { value, versions: [{ topic: row.id, version: row.version }], bytes: organizationBytes }
  }
  return organizations(db, `${p.userId} ${p.id}`, read, commitVersion)
}

/** The organization's permissions of someone who has this row of it. */
export const organizationPermissions = (row: {
  memberId: string | null
  role: OrganizationForUser['role']
  disabled: number | null
  ownedTeam?: string | null
}): Permissions<'organization'> =>
  permissionsOf('organization', {
    level: row.memberId === null || row.disabled === 1 ? 'none' : organizationLevel(row.role),
    ownsTeam: row.ownedTeam != null,
  })
