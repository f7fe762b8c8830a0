/** The words about the repository of a space. They come with its screen. */
import { gitEn } from './en/git.ts'
import { german } from './index.ts'

export const gitTexts = german?.git ?? gitEn
