/** The words around what readers of a site do. They come with its screen. */
import { insightsEn } from './en/insights.ts'
import { german } from './index.ts'

export const insightsTexts = german?.insights ?? insightsEn
