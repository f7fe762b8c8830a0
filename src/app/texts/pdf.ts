/** The words about books. They come with their screen. */
import { pdfEn } from './en/pdf.ts'
import { german } from './index.ts'

export const pdfTexts = german?.pdf ?? pdfEn
