/**
 * The key in a share link: the link's id and a secret derived from it, so that no key is stored. Turning a link off, or
 * deleting it and making another, takes the key out of use.
 */
import { fail } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { findShareLink, type ShareLinkRow } from '../../../store/sites/site-links.ts'
import type { SiteRow } from '../../../store/sites/sites.ts'
import type { Environment } from '../../environment.ts'
import type { Base } from '../../handler.ts'

const secretLength = 43

export const shareKeyOf = ({ signer }: Pick<Environment, 'signer'>, linkId: string): string =>
  `${linkId}${signer.derive('share-key', linkId)}`

/** Whether the present key or a former one that is still good made it. */
const isKeyOf = ({ signer }: Pick<Environment, 'signer'>, linkId: string, key: string): boolean =>
  signer.deriveAll('share-key', linkId).some((secret) => signer.same(key, `${linkId}${secret}`))

type Reach = Pick<Base, 'db' | 'env'>

/** The link that a key opens: one that is there and active. The secret is compared before anything is looked up. */
export async function linkOfKey({ db, env }: Reach, key: string): Promise<ShareLinkRow | undefined> {
  const id = key.slice(0, -secretLength)
  if (!isId(id) || !isKeyOf(env, id, key)) return undefined
  const link = await findShareLink(db, { id })
  return link?.active === 1 ? link : undefined
}

/** The key, if this site asks for one and it fits; 404 when it does not fit. Other sites take no notice of keys. */
export async function checkedKey(
  reach: Reach,
  site: Pick<SiteRow, 'id' | 'visibility'>,
  key: string | undefined,
): Promise<string | undefined> {
  if (key === undefined || site.visibility !== 'share-link') return undefined
  if ((await linkOfKey(reach, key))?.siteId !== site.id) throw fail('not_found', 'The share key opens nothing here.')
  return key
}
