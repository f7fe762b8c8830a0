/** The words about translations and the glossary. They come with their screens. */
import { translationsEn } from './en/translations.ts'
import { german } from './index.ts'

export const translationTexts = german?.translations ?? translationsEn
