/** The words of the screens of one site. They come with them. */
import { siteEn } from './en/site.ts'
import { german } from './index.ts'

export const siteTexts = german?.site ?? siteEn
