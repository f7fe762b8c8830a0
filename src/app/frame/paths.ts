/** The addresses of the app's screens, below `/app`: the only place that spells them. */
const part = encodeURIComponent

/** What a site has beside its overview. */
export type SiteTab = 'structure' | 'customization' | 'redirects' | 'address' | 'visitors' | 'insights' | 'people'

/** What is known already of docs that are to be brought in. */
export interface NewImport {
  space?: string
  changeRequest?: number
  /** An import that is tried again. Its address may be a key, and does not stand in ours. */
  again?: string
}

/** What an organization has beside its spaces and sites. */
export const organizationTabs = ['members', 'teams', 'sign-in', 'audit', 'settings'] as const
export type OrganizationTab = (typeof organizationTabs)[number]

export const paths = {
  home: '/',
  profile: '/me',
  tokens: '/me/tokens',
  organization: (id: string) => `/o/${part(id)}`,
  members: (id: string) => `/o/${part(id)}/members`,
  organizationTab: (id: string, tab: OrganizationTab) => `/o/${part(id)}/${tab}`,
  provider: (id: string, kind: 'saml' | 'oidc', provider: string) => `/o/${part(id)}/sign-in/${kind}/${part(provider)}`,
  team: (id: string, team: string) => `/o/${part(id)}/teams/${part(team)}`,
  trash: (id: string) => `/o/${part(id)}/trash`,
  translations: (id: string) => `/o/${part(id)}/translations`,
  translation: (id: string, translation: string) => `/o/${part(id)}/translations/${part(translation)}`,
  glossary: (id: string) => `/o/${part(id)}/glossary`,
  specs: (id: string) => `/o/${part(id)}/openapi`,
  spec: (id: string, slug: string) => `/o/${part(id)}/openapi/${part(slug)}`,
  imports: (id: string) => `/o/${part(id)}/imports`,
  importRun: (id: string, run: string) => `/o/${part(id)}/imports/${part(run)}`,
  newImport: (id: string, given: NewImport = {}) =>
    `/o/${part(id)}/imports/new?${new URLSearchParams(Object.entries(given).map(([name, value]) => [name, `${value}`]))}`,
  changesOfAll: '/changes',
  sites: '/sites',
  site: (id: string, tab?: SiteTab) => `/sites/${part(id)}${tab === undefined ? '' : `/${tab}`}`,
  collection: (id: string) => `/collections/${part(id)}`,
  peopleOfCollection: (id: string) => `/collections/${part(id)}/people`,
  space: (space: string) => `/s/${part(space)}`,
  page: (space: string, page: string, changeRequest?: number) =>
    changeRequest === undefined
      ? `/s/${part(space)}/p/${part(page)}`
      : `/s/${part(space)}/c/${changeRequest}/edit/p/${part(page)}`,
  block: (space: string, page: string, block: string) => `/s/${part(space)}/p/${part(page)}?block=${part(block)}`,
  files: (space: string) => `/s/${part(space)}/files`,
  links: (space: string) => `/s/${part(space)}/links`,
  history: (space: string) => `/s/${part(space)}/history`,
  pageHistory: (space: string, page: string) => `/s/${part(space)}/history?page=${part(page)}`,
  revision: (space: string, revision: string) => `/s/${part(space)}/history/${part(revision)}`,
  pdf: (space: string, given: { changeRequest?: number | undefined; page?: string | undefined } = {}) =>
    `/s/${part(space)}${given.changeRequest === undefined ? '' : `/c/${given.changeRequest}`}/pdf${
      given.page === undefined ? '' : `?page=${part(given.page)}`
    }`,
  git: (space: string) => `/s/${part(space)}/git`,
  settings: (space: string, tab?: 'people') => `/s/${part(space)}/settings${tab === undefined ? '' : `/${tab}`}`,
  changeRequests: (space: string) => `/s/${part(space)}/c`,
  changeRequest: (space: string, number: number, tab?: 'changes' | 'conflicts' | 'edit') =>
    `/s/${part(space)}/c/${number}${tab === undefined ? '' : `/${tab}`}`,
}
