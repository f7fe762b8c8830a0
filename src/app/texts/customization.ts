/** The words around how a site looks. They come with its screen. */
import { customizationEn } from './en/customization.ts'
import { german } from './index.ts'

export const customizationTexts = german?.customization ?? customizationEn
