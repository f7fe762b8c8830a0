/** The words about docs that are brought in. They come with their screens. */
import { importsEn } from './en/imports.ts'
import { german } from './index.ts'

export const importTexts = german?.imports ?? importsEn
