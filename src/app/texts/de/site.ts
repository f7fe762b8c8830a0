/** The words of the screens of one site, in German. */
import type { siteEn } from '../en/site.ts'
import type { Widened } from '../texts.ts'
import { count } from './count.ts'

export const site: Widened<typeof siteEn> = {
  arrange: 'Anordnen',
  moreSpaces: (n) => `und ${count(n, 'weiterer', 'weitere')}`,
  tabs: {
    overview: 'Überblick',
    structure: 'Aufbau',
    customization: 'Aussehen',
    redirects: 'Umleitungen',
    address: 'Adresse',
    visitors: 'Besucher',
    insights: 'Zahlen',
    people: 'Personen',
  },
}
