/** How far parts of the pages of spaces were rendered ahead. */
import { sql } from 'kysely'
import { all, first, run } from '../query.ts'
import type { RenderedSpaceTable } from '../tables.ts'

export type RenderedSpaceRow = RenderedSpaceTable

export const findRenderedSpace = first((b, p: { spaceId: string }) =>
  b.selectFrom('renderedSpace').selectAll().where('spaceId', '=', p.spaceId),
)

/** Only of a space that is still there. */
export const putRenderedSpace = run((b, p: RenderedSpaceRow) =>
  b
    .insertInto('renderedSpace')
    .columns(['spaceId', 'renderer', 'revisionId', 'towards', 'after'])
    .expression((eb) =>
      eb
        .selectFrom('space')
        .select(['id'])
        .select(sql<string>`cast(${p.renderer} as text)`.as('renderer'))
        .select(sql<string | null>`cast(${p.revisionId} as text)`.as('revisionId'))
        .select(sql<string | null>`cast(${p.towards} as text)`.as('towards'))
        .select(sql<string>`cast(${p.after} as text)`.as('after'))
        .where('id', '=', p.spaceId),
    )
    .onConflict((oc) =>
      oc.column('spaceId').doUpdateSet((eb) => ({
        renderer: eb.ref('excluded.renderer'),
        revisionId: eb.ref('excluded.revisionId'),
        towards: eb.ref('excluded.towards'),
        after: eb.ref('excluded.after'),
      })),
    ),
)

/** Spaces on published sites whose content was not rendered ahead by this renderer, in the order of their ids. */
export const listUnrendered = all((b, p: { renderer: string; after: string; limit: number }) =>
  b
    .selectFrom('space')
    .leftJoin('renderedSpace', 'renderedSpace.spaceId', 'space.id')
    .select('space.id')
    .where('space.deletedAt', 'is', null)
    .where('space.id', '>', p.after)
    .where((eb) =>
      eb.or([
        eb('renderedSpace.revisionId', 'is', null),
        eb('renderedSpace.revisionId', '<>', eb.ref('space.revisionId')),
        eb('renderedSpace.renderer', '<>', p.renderer),
      ]),
    )
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('siteSpace')
          .innerJoin('site', 'site.id', 'siteSpace.siteId')
          .select('siteSpace.id')
          .whereRef('siteSpace.spaceId', '=', 'space.id')
          .where('site.published', '=', 1),
      ),
    )
    .orderBy('space.id')
    .limit(p.limit),
)
