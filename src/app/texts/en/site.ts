/** The words of the screens of one site. */
export const siteEn = {
  tabs: { overview: 'Overview', structure: 'Structure', look: 'Look', redirects: 'Redirects', insights: 'Insights' },
}
