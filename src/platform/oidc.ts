/**
 * Single sign-on by OpenID Connect, with the protocol in the hands of a library: authorization code, PKCE (S256), state and
 * nonce, and an ID token whose signature is checked against the provider's keys although it comes over TLS.
 *
 * Every request goes out by the guarded fetch. Plain http is spoken only where the operator has opened private networks.
 */
import { createHash } from 'node:crypto'
import type * as Library from 'openid-client'
import { type Caches, decodedBytes, defineCache } from '../core/caches.ts'
import { SsoRefused } from '../core/sso-refused.ts'
import type { GuardedFetch } from './fetch.ts'

/** Provider and own side, as far as messages need them. */
export interface OidcClient {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUrl: string
}

/** What ties an answer to the request that a browser set out with. */
export interface OidcRequest {
  state: string
  /** Kept here; its hash goes to the provider. */
  verifier: string
}

export interface OidcClaims {
  subject: string
  email: string
  firstName?: string | undefined
  lastName?: string | undefined
}

export interface Oidc {
  /** Whether plain http is spoken with providers. */
  allowsHttp: boolean
  /** Why nobody can sign in with this issuer, in a sentence for whoever sets it up; undefined when they can. */
  faultOf(issuer: string): Promise<string | undefined>
  /** Where the browser goes with our request. */
  requestUrl(client: OidcClient, request: OidcRequest): Promise<string>
  /** What the provider says of who came back to `address`; throws `SsoRefused`. Never inside a transaction. */
  read(client: OidcClient, request: OidcRequest, address: URL): Promise<OidcClaims>
}

const toleranceSeconds = 60
const answerBytes = 1024 * 1024
/** A sign-in waits for it, and so does a person. */
const milliseconds = 10_000

const providerMilliseconds = 5 * 60_000
/** Its keys, which the library fetches and keeps with it. */
const keysBytes = 8_000
const providersIn = defineCache<Provider>('sign-on providers', { share: 0.004 })

interface Provider {
  config: Library.Configuration
  until: number
}

export function makeOidc({
  fetch,
  allowsHttp,
  caches,
}: {
  fetch: GuardedFetch
  allowsHttp: boolean
  caches: Caches
}): Oidc {
  // Loaded when somebody first signs in this way.
  const library = () => import('openid-client')
  const providers = providersIn(caches)

  /** The provider's own description, kept for a few minutes; a failure is not kept. */
  async function configure(client: Omit<OidcClient, 'redirectUrl'>): Promise<Library.Configuration> {
    const key = hash(JSON.stringify([client.issuer, client.clientId, client.clientSecret]))
    const cached = providers.get(key)
    if (cached && cached.until > performance.now()) return cached.config
    const config = await discover(client)
    const bytes = decodedBytes(JSON.stringify(config.serverMetadata()).length) + keysBytes
    providers.set(key, { config, until: performance.now() + providerMilliseconds }, bytes)
    return config
  }

  async function discover({ issuer, clientId, clientSecret }: Omit<OidcClient, 'redirectUrl'>) {
    const oidc = await library()
    const config = await oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: toleranceSeconds },
      authenticationBy(oidc, clientSecret),
      {
        [oidc.customFetch]: (url, options) => guarded(fetch, url, options),
        execute: [...(allowsHttp ? [oidc.allowInsecureRequests] : []), oidc.enableNonRepudiationChecks],
      },
    )
    const server = config.serverMetadata()
    // The library makes exceptions for issuers that stand for many tenants: there anybody could name any address.
    if (!isSameIssuer(server.issuer, issuer)) throw new SsoRefused('an issuer that calls itself otherwise')
    if (!server.authorization_endpoint || !server.token_endpoint || !server.jwks_uri)
      throw new SsoRefused('a provider without the addresses of a sign-in')
    return config
  }

  return {
    allowsHttp,
    async faultOf(issuer) {
      try {
        await discover({ issuer, clientId: 'unknown', clientSecret: 'unknown' })
        return undefined
      } catch (error) {
        return `does not describe itself at ${wellKnown(issuer)}: ${sentenceOf(error)}`
      }
    },
    async requestUrl(client, { state, verifier }) {
      const oidc = await library()
      const config = await refusing(() => configure(client))
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUrl,
        scope: 'openid email profile',
        state,
        nonce: nonceOf(verifier),
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },
    read(client, { state, verifier }, address) {
      return refusing(async () => {
        const oidc = await library()
        const config = await configure(client)
        // What a proxy made of the address does not matter: the provider compares it with what we told it.
        const url = new URL(client.redirectUrl)
        url.search = address.search
        const tokens = await oidc.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonceOf(verifier),
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new SsoRefused('no ID token')
        const more =
          claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {}
        return claimsOf(claims.sub, { ...more, ...claims })
      })
    },
  }
}

function claimsOf(subject: string, claims: Record<string, unknown>): OidcClaims {
  const { email, email_verified: isVerified, given_name: first, family_name: last, name } = claims
  if (typeof email !== 'string') throw new SsoRefused('no e-mail address')
  // Many directories do not say; one that says no has not asked who reads that mail.
  if (isVerified === false || isVerified === 'false')
    throw new SsoRefused('an address that the provider has not verified')
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    subject,
    email,
    firstName: text(first) ?? text(name),
    lastName: text(first) === undefined ? undefined : text(last),
  }
}

/** As the provider wants it; what it leaves open is `client_secret_basic` by the standard. */
function authenticationBy(oidc: typeof Library, secret: string): Library.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return methods.includes('client_secret_basic') ? basic(server, ...rest) : post(server, ...rest)
  }
}

async function guarded(fetch: GuardedFetch, url: string, options: Library.CustomFetchOptions): Promise<Response> {
  const { body } = options
  const answer = await fetch(url, {
    method: options.method === 'POST' ? 'POST' : 'GET',
    headers: options.headers,
    ...(body instanceof URLSearchParams ? { body: body.toString() } : typeof body === 'string' ? { body } : {}),
    anyStatus: true,
    milliseconds,
    bytes: answerBytes,
    signal: options.signal ?? undefined,
  })
  const { 'content-type': type = '', 'www-authenticate': challenge } = answer.headers
  return new Response(answer.status === 204 ? null : Buffer.from(answer.bytes), {
    status: answer.status,
    headers: { 'content-type': type, ...(challenge === undefined ? {} : { 'www-authenticate': challenge }) },
  })
}

/** Whatever goes wrong on the provider's side, or between us, ends this sign-in and nothing else. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof SsoRefused) throw error
    throw new SsoRefused(sentenceOf(error))
  }
}

/** The innermost of the library's messages says most, and the provider's own code where it gave one. None has a secret. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  if (error.cause instanceof Error) return sentenceOf(error.cause)
  const code = 'error' in error && typeof error.error === 'string' ? ` (${error.error.slice(0, 100)})` : ''
  return `${error.message}${code}`
}

const nonceOf = (verifier: string): string => hash(`nonce ${verifier}`)

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url')

const isSameIssuer = (one: string, other: string): boolean =>
  one === other || (URL.canParse(one) && new URL(one).href === new URL(other).href)

const wellKnown = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
