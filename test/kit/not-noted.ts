const account = 'Belongs to an account and to no organization; its list of sessions tells when, how and from where.'

/** Writing operations that note no event, each with its reason. */
export const notNoted: Readonly<Record<string, string>> = {
  updateOrganizationMemberLastSeenAt: 'Says only that somebody is there, every few minutes.',
  updateSpacePresence: 'Says only where somebody is looking, every ten seconds; streams tell it.',
  updateChangeRequestPresence: 'The same for a change request.',
  trackEventsInSiteById: 'Counts what readers do; site insights tell it.',
  deleteCurrentSession: account,
  deleteSession: account,
  deleteAllSessions: account,
  updatePassword: account,
}
