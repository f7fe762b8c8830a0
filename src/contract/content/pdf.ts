import { z } from 'zod'
import { GET, twin } from '../operation.ts'
import { CR, Id, S, Url } from '../shapes.ts'

const PdfQuery = {
  page: Id.optional().describe('Only this page and those below it.'),
  only: z.boolean().optional().describe('With `page`: this page alone.'),
}

const PdfLink = z
  .object({ url: Url.describe('Where the PDF is fetched, without a token, for an hour.') })
  .meta({ id: 'PDFLink' })

// biome-ignore format: held side by side with the specification, it matches line for line.
export const spacePdf = {
  getSpacePDF: GET(`${S}/pdf`, 'space.view', { query: PdfQuery, ok: PdfLink, visitors: true }),
}

// biome-ignore format: held side by side with the specification, it matches line for line.
export const changeRequestPdf = {
  getChangeRequestPDF: twin(`${CR}/pdf`, spacePdf.getSpacePDF),
}
