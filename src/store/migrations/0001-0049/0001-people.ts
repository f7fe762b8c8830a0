/** People, organizations, rights, jobs. Frozen: a later change is a later migration. */
export default {
  number: 1,
  name: 'people',
  // Names are quoted because PostgreSQL would fold their case; {text} sorts by code point on both engines.
  both: `
    create table "setting" ("name" {text} primary key, "value" {text} not null);

    create table "user" (
      "id" {text} primary key, "displayName" {text} not null, "email" {text} not null unique, "folded" {text} not null,
      "photoURL" {text}, "createdAt" {text} not null
    );
    create table "apiToken" (
      "id" {text} primary key, "userId" {text} not null references "user" ("id") on delete cascade, "label" {text} not null,
      "hash" {text} not null unique, "createdAt" {text} not null, "lastUsedAt" {text}
    );
    create index "apiToken_user" on "apiToken" ("userId", "createdAt", "id");

    create table "organization" (
      "id" {text} primary key, "title" {text} not null, "emailDomains" {text} not null, "hostname" {text} unique,
      "type" {text} not null, "useCase" {text}, "communityType" {text}, "defaultRole" {text}, "defaultContent" {text},
      "logo" {text}, "sso" integer not null, "ai" integer not null, "inviteLinks" integer not null, "createdAt" {text} not null
    );
    create table "emailDomain" (
      "domain" {text} not null, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      primary key ("domain", "organizationId")
    );
    create index "emailDomain_organization" on "emailDomain" ("organizationId");

    create table "member" (
      "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "userId" {text} not null references "user" ("id") on delete cascade,
      "role" {text}, "disabled" integer not null, "sso" integer not null, "joinedAt" {text} not null, "lastSeenAt" {text},
      primary key ("organizationId", "userId")
    );
    create index "member_user" on "member" ("userId", "organizationId");
    create index "member_joined" on "member" ("organizationId", "joinedAt", "userId");
    create index "member_seen" on "member" ("organizationId", "lastSeenAt", "userId");
    create index "member_role" on "member" ("organizationId", "role");

    create table "team" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "title" {text} not null, "folded" {text} not null, "createdAt" {text} not null
    );
    create index "team_organization" on "team" ("organizationId", "createdAt", "id");
    create table "teamMember" (
      "teamId" {text} not null references "team" ("id") on delete cascade,
      "userId" {text} not null references "user" ("id") on delete cascade,
      "role" {text} not null, "addedAt" {text} not null, primary key ("teamId", "userId")
    );
    create index "teamMember_user" on "teamMember" ("userId", "teamId");

    create table "invite" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "role" {text}, "level" {text}, "thingKind" {text}, "thingId" {text}, "createdAt" {text} not null
    );
    create index "invite_organization" on "invite" ("organizationId", "createdAt", "id");

    create table "collection" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "parentId" {text}, "rank" {text} not null, "title" {text} not null, "description" {text}, "defaultLevel" {text},
      "createdAt" {text} not null
    );
    create index "collection_parent" on "collection" ("organizationId", "parentId", "rank", "id");
    create table "space" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "parentId" {text}, "rank" {text} not null, "title" {text} not null, "emoji" {text} not null, "editMode" {text} not null,
      "defaultLevel" {text}, "language" {text}, "revisionId" {text} not null, "createdBy" {text} not null,
      "createdAt" {text} not null, "updatedAt" {text} not null, "deletedAt" {text}, "comments" integer not null,
      "changeRequests" integer not null, "changeRequestsOpen" integer not null, "changeRequestsDraft" integer not null
    );
    create index "space_parent" on "space" ("organizationId", "parentId", "rank", "id");
    create index "space_created" on "space" ("organizationId", "createdAt", "id");
    create index "space_deleted" on "space" ("deletedAt");

    create table "accessGrant" (
      "thingKind" {text} not null, "thingId" {text} not null, "subjectKind" {text} not null, "subjectId" {text} not null,
      "role" {text} not null, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "createdAt" {text} not null, primary key ("thingId", "subjectKind", "subjectId")
    );
    create index "accessGrant_subject" on "accessGrant" ("subjectKind", "subjectId", "thingKind", "thingId");

    create table "job" (
      "id" {text} primary key, "kind" {text} not null, "payload" {text} not null, "uniqueKey" {text}, "state" {text} not null,
      "attempts" integer not null, "runAt" {text} not null, "leaseOwner" {text}, "leaseUntil" {text}, "lastError" {text},
      "createdAt" {text} not null, unique ("kind", "uniqueKey")
    );
    create index "job_due" on "job" ("state", "runAt");

    create table "idempotency" (
      "key" {text} primary key, "requestHash" {text} not null, "status" integer not null, "location" {text}, "body" {text},
      "createdAt" {text} not null
    );
    create index "idempotency_created" on "idempotency" ("createdAt");

    create table "blob" ("hash" {text} primary key, "size" bigint not null, "createdAt" {text} not null);
    create table "blobChunk" (
      "hash" {text} not null references "blob" ("hash") on delete cascade, "position" integer not null, "bytes" {bytes} not null,
      primary key ("hash", "position")
    );
  `,
}
