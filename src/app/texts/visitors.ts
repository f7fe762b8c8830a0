/** The words about what is known of a site's visitors. They come with their screen. */
import { visitorsEn } from './en/visitors.ts'
import { german } from './index.ts'

export const visitorTexts = german?.visitors ?? visitorsEn
