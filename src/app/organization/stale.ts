/** Which answers are no longer true after a change. */
import type { Name } from '../session/client.ts'

export const staleMembers: Name[] = ['listMembersInOrganizationById', 'getMemberInOrganizationById']

export const staleTeams: Name[] = [
  'getTeamInOrganizationById',
  'listTeamMembersInOrganizationById',
  'listTeamsInOrganizationById',
  'listTeamsForOrganizationMember',
]

export const staleProviders: Name[] = [
  'listSAMLProvidersInOrganizationById',
  'getOrganizationSAMLProviderById',
  'listOIDCProviders',
  'getOIDCProvider',
  'listSSOProviderLoginsInOrganization',
]
