/** The absolute links of every resource, made in one place from the two configured addresses. */

export interface Bases {
  /** Where the API and the app are reached, without a trailing slash. */
  app: string
  /** Where published sites are reached, without a trailing slash. */
  sites: string
}

export const makeUrls = ({ app, sites }: Bases) => ({
  app,
  sites,
  api: (path: string) => `${app}/v1${path}`,
  user: (id: string) => `${app}/v1/users/${id}`,
  organization: (id: string) => ({ location: `${app}/v1/orgs/${id}`, app: `${app}/app/o/${id}` }),
  site: (organization: string, id: string) => ({
    location: `${app}/v1/orgs/${organization}/sites/${id}`,
    app: `${app}/app/o/${organization}/sites/${id}`,
  }),
  team: (organization: string, id: string) => `${app}/v1/orgs/${organization}/teams/${id}`,
  invite: (organization: string, id: string) => `${app}/v1/orgs/${organization}/link-invites/${id}`,
  /** Where a one-time link sets a password. */
  password: (secret: string) => `${app}/signin/password/${secret}`,
  join: (id: string) => `${app}/join/${id}`,
  collection: (id: string) => ({ location: `${app}/v1/collections/${id}`, app: `${app}/app/collections/${id}` }),
  changeRequest: (space: string, id: string, number: number) => ({
    location: `${app}/v1/spaces/${space}/change-requests/${id}`,
    app: `${app}/app/s/${space}/c/${number}`,
  }),
  comment: (space: string, id: string, changeRequest: string | null) =>
    changeRequest === null
      ? `${app}/v1/spaces/${space}/comments/${id}`
      : `${app}/v1/spaces/${space}/change-requests/${changeRequest}/comments/${id}`,
  spec: (organization: string, slug: string) => ({
    location: `${app}/v1/orgs/${organization}/openapi/${slug}`,
    app: `${app}/app/o/${organization}/openapi/${slug}`,
  }),
  importRun: (organization: string, id: string) => `${app}/v1/orgs/${organization}/imports/${id}`,
  translation: (organization: string, id: string) => `${app}/v1/orgs/${organization}/translations/${id}`,
  glossaryEntry: (organization: string, id: string) => `${app}/v1/orgs/${organization}/translations-glossary/${id}`,
  publishedSpec: (id: string) => `${app}/v1/published/openapi/${id}`,
  page: (space: string, id: string) => `${app}/app/s/${space}/p/${id}`,
  file: (token: string, name: string) => `${app}/files/${token}/${encodeURIComponent(name)}`,
  pdf: (token: string, title: string) => `${app}/pdf/${token}/${encodeURIComponent(title)}.pdf`,
  export: (token: string, title: string) => `${app}/exports/${token}/${encodeURIComponent(title)}.zip`,
  revision: (space: string, id: string) => `${app}/app/s/${space}/history/${id}`,
  /** With where readers meet it, if they do. */
  space: (id: string, shown?: { published?: string | undefined; public?: string | undefined }) => ({
    location: `${app}/v1/spaces/${id}`,
    app: `${app}/app/s/${id}`,
    published: shown?.published,
    public: shown?.public,
  }),
})

export type Urls = ReturnType<typeof makeUrls>
