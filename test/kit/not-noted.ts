/** Writing operations that note no event, each with its reason. */
export const notNoted: Readonly<Record<string, string>> = {
  updateOrganizationMemberLastSeenAt: 'Says only that somebody is there, every few minutes.',
  trackEventsInSiteById: 'Counts what readers do; site insights tell it.',
  aggregateSiteEvents: 'Reads: the question is too long for an address.',
  searchSiteContent: 'Reads: the question is too long for an address.',
  resolvePublishedContentByUrl: 'Reads: the address asked for is too long for an address.',
}
