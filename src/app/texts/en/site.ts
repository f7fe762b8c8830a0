/** The words of the screens of one site. */
import { count } from './count.ts'

export const siteEn = {
  arrange: 'Arrange',
  moreSpaces: (n: number) => `and ${count(n, 'more', 'more')}`,
  tabs: {
    overview: 'Overview',
    structure: 'Structure',
    customization: 'Look',
    redirects: 'Redirects',
    address: 'Address',
    visitors: 'Visitors',
    insights: 'Insights',
    people: 'People',
  },
}
