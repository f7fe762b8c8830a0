/**
 * Two providers of OpenID Connect. `startOpenIdProvider` is a real one from a library, with its own sign-in pages, for the
 * browser. `startCrookedProvider` answers whatever a test tells it to, for what must be refused.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export interface OpenIdProvider {
  issuer: string
  clientID: string
  clientSecret: string
  /** Tells it where our side listens: it sends nobody elsewhere. */
  register(redirectUrl: string): void
  close(): Promise<void>
}

export async function startOpenIdProvider(
  claimsOf: (login: string) => Record<string, unknown>,
): Promise<OpenIdProvider> {
  const { default: Provider } = await import('oidc-provider')
  const server = createServer()
  const issuer = await listen(server)
  const client = {
    client_id: 'lectern',
    client_secret: 'a secret with %20 and + in it, of many letters',
    redirect_uris: ['http://localhost/unset'],
    grant_types: ['authorization_code'],
    response_types: ['code' as const],
  }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'one' }
  const register = (redirectUrl: string): void => {
    client.redirect_uris = [redirectUrl]
    const provider = new Provider(issuer, {
      clients: [client],
      jwks: { keys: [jwk] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      pkce: { required: () => true },
      cookies: { keys: ['keys of a test'] },
      findAccount: (_context, login) => ({
        accountId: login,
        claims: () => ({ sub: `subject of ${login}`, ...claimsOf(login) }),
      }),
    })
    server.removeAllListeners('request')
    server.on('request', provider.callback())
  }
  // It describes itself before it knows us, as providers do.
  register('http://localhost/unset')
  return {
    issuer,
    clientID: client.client_id,
    clientSecret: client.client_secret,
    register,
    close: () => close(server),
  }
}

/** What is wrong with an answer; nothing, unless it is said. */
export interface Crooked {
  claims?: (right: JWTPayload) => JWTPayload
  /** A token made by the test itself. */
  token?: (claims: JWTPayload) => Promise<string> | string
  /** Signs with a key that the provider does not publish. */
  foreignKey?: boolean
  userinfo?: Record<string, unknown>
  status?: number
  metadata?: Record<string, unknown>
}

export interface CrookedProvider extends Omit<OpenIdProvider, 'register'> {
  next: Crooked
  /** What a provider does after somebody has signed in there: the address that their browser is sent back to. */
  answer(requested: string, who: JWTPayload): URL
  /** Requests to the token endpoint. */
  exchanges(): number
}

export async function startCrookedProvider(): Promise<CrookedProvider> {
  const own = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const codes = new Map<string, { asked: URLSearchParams; who: JWTPayload }>()
  let exchanges = 0
  const server = createServer(async (request, response) => {
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { pathname } = new URL(request.url ?? '/', issuer)
    if (pathname === '/.well-known/openid-configuration')
      return send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...provider.next.metadata,
      })
    if (pathname === '/jwks') return send({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256' }] })
    if (pathname === '/userinfo') return send(provider.next.userinfo ?? {})
    if (pathname !== '/token') return send({}, 404)
    exchanges++
    if (provider.next.status !== undefined) return send({ error: 'server_error' }, provider.next.status)
    const form = new URLSearchParams(await read(request))
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || challenge !== code.asked.get('code_challenge')) return send({ error: 'invalid_grant' }, 400)
    const [, basic = ''] = request.headers.authorization?.split('Basic ') ?? []
    const shown = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent)
    if (shown.join(':') !== `${provider.clientID}:${provider.clientSecret}`)
      return send({ error: 'invalid_client' }, 401)
    const now = Math.floor(Date.now() / 1000)
    const right = { iss: issuer, aud: provider.clientID, iat: now, exp: now + 300, ...nonceIn(code.asked), ...code.who }
    const claims = provider.next.claims?.(right) ?? right
    const key = provider.next.foreignKey ? foreign.privateKey : own.privateKey
    const token =
      (await provider.next.token?.(claims)) ??
      (await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(key))
    send({ access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: token })
  })
  const issuer = await listen(server)
  const provider: CrookedProvider = {
    issuer,
    clientID: 'lectern',
    clientSecret: 'shared-secret',
    next: {},
    exchanges: () => exchanges,
    answer(requested, who) {
      const asked = new URL(requested).searchParams
      const code = `code-${codes.size}-${Math.random()}`
      codes.set(code, { asked, who })
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.searchParams.set('code', code)
      back.searchParams.set('state', asked.get('state') ?? '')
      return back
    },
    close: () => close(server),
  }
  return provider
}

const nonceIn = (asked: URLSearchParams) => ({ nonce: asked.get('nonce') ?? undefined })

/** Another site than ours, which is at 127.0.0.1. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}
