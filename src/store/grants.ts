/** Roles given directly to users and teams on spaces, collections and sites. */
import { run } from './query.ts'
import type { AccessGrantTable } from './tables.ts'

export type GrantRow = AccessGrantTable

/** Gives a role, or changes the one given before. */
export const putGrant = run((b, p: GrantRow) =>
  b
    .insertInto('accessGrant')
    .values({
      thingKind: p.thingKind,
      thingId: p.thingId,
      subjectKind: p.subjectKind,
      subjectId: p.subjectId,
      role: p.role,
      organizationId: p.organizationId,
      createdAt: p.createdAt,
    })
    .onConflict((oc) => oc.columns(['thingId', 'subjectKind', 'subjectId']).doUpdateSet({ role: p.role })),
)

export const deleteGrant = run((b, p: { thingId: string; subjectKind: 'user' | 'team'; subjectId: string }) =>
  b
    .deleteFrom('accessGrant')
    .where('thingId', '=', p.thingId)
    .where('subjectKind', '=', p.subjectKind)
    .where('subjectId', '=', p.subjectId),
)
