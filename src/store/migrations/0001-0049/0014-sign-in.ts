/** Passwords, sessions, one-time links, single sign-on: who may sign in, and how. Frozen. */
export default {
  number: 14,
  name: 'sign-in',
  both: `
    create table "password" (
      "userId" {text} primary key references "user" ("id") on delete cascade,
      "hash" {text} not null, "setAt" {text} not null
    );

    create table "ssoProvider" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "kind" {text} not null, "label" {text} not null,
      "ssoUrl" {text}, "entityId" {text}, "certificate" {text},
      "issuer" {text}, "clientId" {text}, "clientSecret" {text},
      "defaultTeam" {text} references "team" ("id") on delete set null, "defaultRole" {text},
      "createdAt" {text} not null
    );
    create index "ssoProvider_organization" on "ssoProvider" ("organizationId", "createdAt", "id");

    create table "ssoIdentity" (
      "providerId" {text} not null references "ssoProvider" ("id") on delete cascade, "subject" {text} not null,
      "userId" {text} not null references "user" ("id") on delete cascade, "createdAt" {text} not null,
      primary key ("providerId", "subject")
    );
    create index "ssoIdentity_user" on "ssoIdentity" ("userId");

    create table "verifiedDomain" (
      "domain" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "proof" {text} not null, "verifiedAt" {text} not null
    );
    create index "verifiedDomain_organization" on "verifiedDomain" ("organizationId");

    create table "session" (
      "id" {text} primary key, "userId" {text} not null references "user" ("id") on delete cascade,
      "hash" {text} not null unique, "previousHash" {text} unique, "method" {text} not null,
      "providerId" {text} references "ssoProvider" ("id") on delete cascade, "organizationId" {text},
      "userAgent" {text} not null, "address" {text} not null,
      "createdAt" {text} not null, "rotatedAt" {text} not null, "lastUsedAt" {text} not null, "expiresAt" {text} not null
    );
    create index "session_user" on "session" ("userId", "createdAt", "id");
    create index "session_expiry" on "session" ("expiresAt");

    create table "signinLink" (
      "hash" {text} primary key, "userId" {text} not null references "user" ("id") on delete cascade,
      "createdAt" {text} not null, "expiresAt" {text} not null
    );
    create index "signinLink_user" on "signinLink" ("userId");
    create index "signinLink_expiry" on "signinLink" ("expiresAt");

    create table "signinGuess" (
      "key" {text} primary key, "count" integer not null, "startedAt" {text} not null
    );
    create index "signinGuess_start" on "signinGuess" ("startedAt");

    create table "ssoRequest" (
      "id" {text} primary key, "providerId" {text} not null references "ssoProvider" ("id") on delete cascade,
      "browserHash" {text} not null, "verifier" {text}, "next" {text} not null,
      "codeHash" {text} unique, "userId" {text} references "user" ("id") on delete cascade,
      "createdAt" {text} not null, "expiresAt" {text} not null
    );
    create index "ssoRequest_expiry" on "ssoRequest" ("expiresAt");

    create table "ssoAssertion" (
      "providerId" {text} not null references "ssoProvider" ("id") on delete cascade, "assertionId" {text} not null,
      "expiresAt" {text} not null,
      primary key ("providerId", "assertionId")
    );
    create index "ssoAssertion_expiry" on "ssoAssertion" ("expiresAt");
  `,
}
