/** The segment under which a site is published: one for each site of the installation. */
import { fail } from '../../core/errors.ts'
import { slugify } from '../../core/text.ts'
import { findSiteByBasename, type SiteRow } from '../../store/sites/sites.ts'
import type { Base } from '../handler.ts'

/** Made of the title: what of it can stand in an address everywhere, and a number where another site has it. */
export async function freeBasename({ db }: Base, title: string): Promise<string> {
  const plain = slugify(title)
    .replace(/[^a-z0-9-]+/g, '')
    .replace(/-{2,}/g, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '')
  const name = plain || 'docs'
  for (let n = 0; ; n++) {
    const candidate = n === 0 ? name : `${name}-${n}`
    if (!(await findSiteByBasename(db, { basename: candidate }))) return candidate
  }
}

export async function refuseBasename({ db }: Base, site: Pick<SiteRow, 'id'>, basename: string): Promise<void> {
  const other = await findSiteByBasename(db, { basename })
  if (other && other.id !== site.id) throw fail('already_exists', 'Another site has this basename.')
}
