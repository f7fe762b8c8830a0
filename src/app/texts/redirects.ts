/** The words about redirects of a site. They come with their screen. */
import { redirectsEn } from './en/redirects.ts'
import { german } from './index.ts'

export const redirectTexts = german?.redirects ?? redirectsEn
