/** What the links of a customization point at: every id is one the caller sees, of the site's own organization. */

import type { z } from 'zod'
import type { CustomizationBody } from '../../../core/customization/shape.ts'
import type { ContentRef } from '../../../core/document/tree/nodes.ts'
import { invalid } from '../../../core/errors.ts'
import { fileById, pageById } from '../../../core/revision/content.ts'
import { findParts, spacesOfSite } from '../../../store/sites/sites.ts'
import { type ContentAt, contentAt } from '../../content/at.ts'
import type { Base } from '../../handler.ts'
import { named } from '../../named.ts'
import type { Things } from '../../things.ts'
import { refuseCondition } from '../access/conditions.ts'
import { contentOnSite } from '../reading/pages.ts'
import { refuseWithoutEffect } from './refused.ts'

type Given = Partial<z.output<typeof CustomizationBody>>

/** Refuses a customization with a condition that cannot be evaluated or a link to what is not there. */
export async function checkCustomization(base: Base, site: Things['site'], given: Given): Promise<void> {
  for (const [index, link] of (given.header?.links ?? []).entries())
    refuseCondition(`header.links.${index}.condition`, link.condition)
  refuseWithoutEffect(given)
  for (const [field, ref] of refsIn(given)) await checkRef(base, site, field, ref)
}

/** The links of a customization, each with the field it stands in. */
export function* refsIn(given: Given): Generator<[field: string, ref: ContentRef]> {
  for (const [index, link] of (given.header?.links ?? []).entries()) {
    if (link.to) yield [`header.links.${index}.to`, link.to]
    for (const [inner, below] of (link.links ?? []).entries())
      yield [`header.links.${index}.links.${inner}.to`, below.to]
  }
  for (const [index, group] of (given.footer?.groups ?? []).entries()) {
    for (const [inner, link] of group.links.entries()) yield [`footer.groups.${index}.links.${inner}.to`, link.to]
  }
  if (given.announcement?.link) yield ['announcement.link.to', given.announcement.link.to]
}

async function checkRef(base: Base, site: Things['site'], field: string, ref: ContentRef): Promise<void> {
  switch (ref.kind) {
    case 'url':
      if (!/^(?:https?:\/\/[^\s]+|mailto:[^\s]+|\/(?![/\\])[^\s]*|#[^\s]*)$/i.test(ref.url))
        throw invalid(`${field}.url`, 'must be an http or https address, a mail address, or a path')
      return
    case 'space':
      await spaceOf(base, site, ref.space)
      return
    case 'collection': {
      const id = ref.collection
      const collection = await named(base, 'collection', id)
      if (collection.organizationId !== site.organizationId)
        throw invalid(`${field}.collection`, 'names no collection of this organization')
      return
    }
    case 'page':
      return inContent(base, site, { field: `${field}.page`, space: ref.space }, async (at) =>
        pageById(at.reader, at.content, ref.page),
      )
    case 'anchor': {
      const { page } = ref
      if (page === undefined) throw invalid(`${field}.page`, 'is required')
      return inContent(base, site, { field: `${field}.page`, space: ref.space }, async (at) =>
        pageById(at.reader, at.content, page),
      )
    }
    case 'file':
      return inContent(base, site, { field: `${field}.file`, space: ref.space }, async (at) =>
        fileById(at.reader, at.content, ref.file),
      )
    default:
      throw invalid(`${field}.kind`, 'is nothing that a site can link to')
  }
}

async function spaceOf(base: Base, site: Things['site'], id: string): Promise<Things['space']> {
  const space = await named(base, 'space', id)
  if (space.organizationId !== site.organizationId) throw invalid('space', 'names no space of this organization')
  return space
}

/** In the space that is named; else in any that the site shows. */
async function inContent(
  base: Base,
  site: Things['site'],
  where: { field: string; space: string | undefined },
  find: (at: ContentAt) => Promise<unknown>,
): Promise<void> {
  if (where.space !== undefined) {
    const space = await spaceOf(base, site, where.space)
    if (await find(await contentAt({ ...base, space }))) return
  } else {
    const shown = new Set((await findParts(base.db, site.id)).spaces.map((siteSpace) => siteSpace.spaceId))
    for (const space of await spacesOfSite(base.db, { siteId: site.id })) {
      if (shown.has(space.id) && (await find(await contentOnSite(base, space)))) return
    }
  }
  throw invalid(where.field, 'names nothing that is there')
}
