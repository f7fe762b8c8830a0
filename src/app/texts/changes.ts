/** The words about change requests. They come with the screens that show them. */
import { changesEn } from './en/changes.ts'
import { german } from './index.ts'

export const changesTexts = german?.changes ?? changesEn
