/** Who is looking at which page, as they last said. */
import { all, run } from '../query.ts'
import type { PresenceTable } from '../tables.ts'

export const putPresence = run((b, p: PresenceTable) =>
  b
    .insertInto('presence')
    .values({
      spaceId: p.spaceId,
      changeRequestId: p.changeRequestId,
      userId: p.userId,
      pageId: p.pageId,
      block: p.block,
      position: p.position,
      seenAt: p.seenAt,
    })
    .onConflict((oc) =>
      oc
        .columns(['spaceId', 'changeRequestId', 'userId'])
        .doUpdateSet({ pageId: p.pageId, block: p.block, position: p.position, seenAt: p.seenAt }),
    ),
)

export const presenceIn = all((b, p: { spaceId: string; changeRequestId: string; since: string }) =>
  b
    .selectFrom('presence')
    .select(['userId', 'pageId', 'block', 'position'])
    .where('spaceId', '=', p.spaceId)
    .where('changeRequestId', '=', p.changeRequestId)
    .where('seenAt', '>', p.since)
    .orderBy('userId'),
)

export const deletePresenceBefore = run((b, p: { oldest: string }) =>
  b.deleteFrom('presence').where('seenAt', '<', p.oldest),
)
