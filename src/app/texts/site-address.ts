/** The words about where a site is read. They come with its screen. */
import { addressEn } from './en/site-address.ts'
import { german } from './index.ts'

export const addressTexts = german?.siteAddress ?? addressEn
