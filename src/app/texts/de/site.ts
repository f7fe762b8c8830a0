/** The words of the screens of one site, in German. */
import type { siteEn } from '../en/site.ts'
import type { Widened } from '../texts.ts'

export const site: Widened<typeof siteEn> = {
  tabs: { overview: 'Überblick', structure: 'Aufbau', look: 'Aussehen', redirects: 'Umleitungen', insights: 'Zahlen' },
}
