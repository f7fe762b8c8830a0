/** Providers that speak OpenID Connect. An issuer is asked to describe itself before it is stored. */
import { oidc as rows } from '../../contract/people/oidc.ts'
import { invalid } from '../../core/errors.ts'
import {
  deleteIdentitiesOf,
  deleteProvider,
  insertProvider,
  type SsoProviderRow,
  updateProvider,
} from '../../store/people/sso.ts'
import { changesIn } from '../events/note.ts'
import { type Base, type HandlersOf, phased } from '../handler.ts'
import type { Things } from '../things.ts'
import {
  type CommonChange,
  commonChangeOf,
  emptyProvider,
  listOfProviders,
  noteProvider,
  type Team,
  teamOf,
} from './common.ts'
import { hideClientSecret, isActive, oidcServiceOf } from './providers.ts'

type Organization = Things['organization']

interface Change extends CommonChange {
  issuer?: string | undefined
  clientID?: string | undefined
  clientSecret?: string | undefined
}

export const oidcHandlers: HandlersOf<typeof rows> = {
  async listOIDCProviders({ organization, query, ...base }) {
    return listOfProviders(base, organization, 'oidc', query, (row, team) =>
      presentProvider(base, organization, row, team),
    )
  },

  createOIDCProvider: phased(rows.createOIDCProvider, {
    prepare: ({ body, ...base }) => checkIssuer(base, body.issuer),
    async commit({ organization, body, ...base }) {
      const empty = emptyProvider(base, organization, { kind: 'oidc', label: body.label })
      const row = { ...empty, ...(await changeOf(base, organization, empty.id, body)) }
      await insertProvider(base.db, row)
      await noteProvider(base, row, 'oidc_provider_created')
      return presentProvider(base, organization, row, await teamOf(base, organization, row))
    },
  }),

  async getOIDCProvider({ organization, oidcProvider, ...base }) {
    return presentProvider(base, organization, oidcProvider, await teamOf(base, organization, oidcProvider))
  },

  updateOIDCProvider: phased(rows.updateOIDCProvider, {
    prepare: ({ body, oidcProvider, ...base }) =>
      checkIssuer(base, body.issuer === oidcProvider.issuer ? undefined : body.issuer),
    async commit({ organization, oidcProvider, body, ...base }) {
      const change = await changeOf(base, organization, oidcProvider.id, body)
      if (body.issuer !== undefined && body.issuer !== oidcProvider.issuer) {
        // A secret goes to no other provider than the one it was given for, and its subjects are not another's.
        change.clientSecret ??= null
        await deleteIdentitiesOf(base.db, { providerId: oidcProvider.id })
      }
      if (Object.keys(change).length > 0) {
        await updateProvider(base.db, oidcProvider.id, change)
        const { before, after } = changesIn<SsoProviderRow>(masked(oidcProvider), maskedChange(change))
        await noteProvider(base, oidcProvider, 'oidc_provider_updated', { before, after })
      }
      const row = { ...oidcProvider, ...change }
      return presentProvider(base, organization, row, await teamOf(base, organization, row))
    },
  }),

  async deleteOIDCProvider({ oidcProvider, ...base }) {
    await deleteProvider(base.db, { id: oidcProvider.id })
    await noteProvider(base, oidcProvider, 'oidc_provider_deleted')
    return undefined
  },
}

async function checkIssuer({ env }: Pick<Base, 'env'>, issuer: string | undefined): Promise<void> {
  if (issuer === undefined) return
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined
  if (url?.search !== '' || url.hash !== '') throw invalid('issuer', 'must be an address without query and hash')
  if (url.protocol !== 'https:' && !env.oidc.allowsHttp) throw invalid('issuer', 'must be an https address')
  const fault = await env.oidc.faultOf(issuer)
  if (fault !== undefined) throw invalid('issuer', fault)
}

async function changeOf(
  base: Base,
  organization: Organization,
  id: string,
  body: Change,
): Promise<Partial<SsoProviderRow>> {
  const change = await commonChangeOf(base, organization, body)
  if (body.issuer !== undefined) change.issuer = body.issuer
  if (body.clientID !== undefined) change.clientId = body.clientID
  if (body.clientSecret !== undefined) change.clientSecret = hideClientSecret(base.env, id, body.clientSecret)
  return change
}

/** The audit log tells that there is another secret, and nothing about it. */
const masked = (row: SsoProviderRow): SsoProviderRow => ({
  ...row,
  clientSecret: row.clientSecret === null ? null : 'stored',
})

const maskedChange = (change: Partial<SsoProviderRow>): Partial<SsoProviderRow> =>
  change.clientSecret ? { ...change, clientSecret: 'replaced' } : change

const presentProvider = ({ env }: Base, organization: Organization, row: SsoProviderRow, team: Team) => ({
  object: 'oidc-provider' as const,
  id: row.id,
  label: row.label,
  issuer: row.issuer ?? '',
  clientID: row.clientId ?? '',
  hasClientSecret: row.clientSecret !== null,
  ...(team ? { defaultTeam: team } : {}),
  defaultRole: row.defaultRole,
  createdAt: row.createdAt,
  status: isActive(row) ? ('active' as const) : ('pending' as const),
  service: oidcServiceOf(env.urls, row.id),
  urls: { location: env.urls.api(`/orgs/${organization.id}/oidc/${row.id}`) },
})
