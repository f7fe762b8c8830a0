/** Runs of imports, and old addresses that came with them. Frozen: a later change is a later migration. */
export default {
  number: 17,
  name: 'imports',
  both: `
    create table "importRun" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "spaceId" {text} not null references "space" ("id") on delete cascade, "changeRequestId" {text},
      "source" {text} not null, "url" {text} not null, "status" {text} not null,
      "importedResources" integer not null, "totalResources" integer not null, "failures" {text} not null,
      "errorCode" {text}, "error" {text}, "revisionId" {text}, "createdBy" {text} not null,
      "createdAt" {text} not null, "updatedAt" {text} not null
    );
    create index "importRun_created" on "importRun" ("organizationId", "createdAt", "id");
    create index "importRun_space" on "importRun" ("spaceId");
    create table "pathRedirect" (
      "spaceId" {text} not null references "space" ("id") on delete cascade, "path" {text} not null,
      "pageId" {text} not null, "createdAt" {text} not null,
      primary key ("spaceId", "path")
    );
  `,
}
