/** PDFs of a space or a change request: the operation answers an address, and whoever fetches it gets the book. */
import type { spacePdf } from '../../contract/content/pdf.ts'
import { fail, invalid } from '../../core/errors.ts'
import { findSite } from '../../store/sites/sites.ts'
import { contentAt, pageIn } from '../content/at.ts'
import type { HandlersOf } from '../handler.ts'
import { customizationOf } from '../sites/customization/complete.ts'
import { isAdmitted } from '../sites/reading/pages.ts'
import { nothingToPrint } from './gather.ts'
import { hashCover, sealTicket, visitorIn } from './ticket.ts'

export const pdfHandlers: HandlersOf<typeof spacePdf> = {
  async getSpacePDF({ query, ...call }) {
    const { actor, db, env, now, space } = call
    if (query.only === true && query.page === undefined) throw invalid('page', 'must name the page that `only` prints')
    const visit = actor.visitor
    const site = visit && (await findSite(db, { id: visit.siteId }))
    if (visit && !(site && customizationOf(site).pdf.enabled)) throw fail('not_found')
    const at = await contentAt(call)
    // What the address would answer.
    if (at.content.pages.count === 0) throw nothingToPrint()
    if (query.page !== undefined) {
      const page = await pageIn(at, query.page)
      if (visit && !(await isAdmitted(at, page, visit.scope))) throw fail('not_found')
    }
    const token = sealTicket(
      env,
      {
        space: space.id,
        revision: at.revision.id,
        ...(at.key === undefined ? {} : { content: at.key }),
        ...(query.page === undefined ? {} : { page: query.page }),
        ...(query.only === true ? { only: true } : {}),
        ...(visit ? { site: visit.siteId, visitor: visitorIn(visit.scope) } : {}),
        cover: hashCover(env, space, site),
      },
      now,
    )
    return { url: env.urls.pdf(token, space.title) }
  },
}
