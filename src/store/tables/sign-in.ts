/** Row types: passwords, sessions, one-time links, single sign-on. */

import type { OneOf, signInMethods } from '../../core/enumerations.ts'
import type { Role } from '../../core/permissions.ts'

export interface PasswordTable {
  userId: string
  hash: string
  setAt: string
}

export interface SsoProviderTable {
  id: string
  organizationId: string
  kind: 'saml' | 'oidc'
  label: string
  /** Of a SAML provider; each may be missing while it is pending. */
  ssoUrl: string | null
  entityId: string | null
  certificate: string | null
  /** Of an OpenID Connect provider. */
  issuer: string | null
  clientId: string | null
  clientSecret: string | null
  defaultTeam: string | null
  defaultRole: Role | null
  createdAt: string
}

/** Which account someone of a provider signs in to. */
export interface SsoIdentityTable {
  providerId: string
  subject: string
  userId: string
  createdAt: string
}

/** A domain belongs to one organization at most. */
export interface VerifiedDomainTable {
  domain: string
  organizationId: string
  proof: 'dns' | 'operator'
  verifiedAt: string
}

export interface SessionTable {
  id: string
  userId: string
  hash: string
  /** The secret before the last rotation, for requests that were under way. */
  previousHash: string | null
  method: OneOf<typeof signInMethods>
  providerId: string | null
  /** Whose single sign-on it came from. */
  organizationId: string | null
  userAgent: string
  address: string
  createdAt: string
  rotatedAt: string
  lastUsedAt: string
  expiresAt: string
}

export interface SigninLinkTable {
  hash: string
  userId: string
  createdAt: string
  expiresAt: string
}

export interface SigninGuessTable {
  key: string
  count: number
  startedAt: string
}

/** A sign-in that is under way at a provider. */
export interface SsoRequestTable {
  id: string
  providerId: string
  /** Of the secret that the browser which began it holds. */
  browserHash: string
  /** PKCE verifier of OpenID Connect. */
  verifier: string | null
  next: string
  /** Set once the provider has answered: the browser shows this code to finish. */
  codeHash: string | null
  userId: string | null
  createdAt: string
  expiresAt: string
}

export interface SsoAssertionTable {
  providerId: string
  assertionId: string
  expiresAt: string
}
