/** The words about OpenAPI specs. They come with their screens. */
import { specsEn } from './en/specs.ts'
import { german } from './index.ts'

export const specTexts = german?.specs ?? specsEn
