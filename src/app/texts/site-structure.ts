/** The words about what a site shows and in which order. They come with its screen. */
import { structureEn } from './en/site-structure.ts'
import { german } from './index.ts'

export const structureTexts = german?.siteStructure ?? structureEn
