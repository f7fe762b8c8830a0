/** The words of the profile. They come with it. */
import { accountEn } from './en/account.ts'
import { german } from './index.ts'

export const accountTexts = german?.account ?? accountEn
