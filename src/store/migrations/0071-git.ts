/** How spaces and their repositories stand; `synced` and `operation` are JSON. Frozen: a later change is a later migration. */
export default {
  number: 71,
  name: 'git',
  both: `
    create table "gitSync" (
      "spaceId" {text} primary key references "space" ("id") on delete cascade,
      "operationId" {text} not null, "state" {text} not null, "operation" {text} not null, "synced" {text},
      "errorCode" {text}, "error" {text}, "revisionId" {text}, "createdBy" {text} not null,
      "createdAt" {text} not null, "updatedAt" {text} not null
    );
    alter table "space" add column "gitSync" {text};
  `,
}
