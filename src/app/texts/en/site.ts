/** The words of the screens of one site. */
import { count } from './count.ts'

export const siteEn = {
  arrange: 'Arrange',
  moreSpaces: (n: number) => `and ${count(n, 'more', 'more')}`,
  tabs: {
    overview: 'Overview',
    structure: 'Structure',
    look: 'Look',
    redirects: 'Redirects',
    address: 'Address',
    insights: 'Insights',
  },
}
