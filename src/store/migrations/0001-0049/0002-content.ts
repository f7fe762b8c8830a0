/** Revisions and what they are made of. Frozen: a later change is a later migration. */
export default {
  number: 2,
  name: 'content',
  both: `
    create table "revision" (
      "id" {text} primary key, "spaceId" {text} not null references "space" ("id") on delete cascade,
      "parents" {text} not null, "type" {text} not null, "content" {text} not null, "createdBy" {text} not null,
      "createdAt" {text} not null, "mergedFrom" {text}, "git" {text}
    );
    create index "revision_space" on "revision" ("spaceId", "createdAt", "id");

    create table "treeNode" ("hash" {text} primary key, "value" {text} not null);
    create table "document" ("hash" {text} primary key, "value" {text} not null);
    create table "spaceDocument" (
      "spaceId" {text} not null references "space" ("id") on delete cascade, "hash" {text} not null,
      primary key ("spaceId", "hash")
    );

    create table "slugAlias" (
      "spaceId" {text} not null references "space" ("id") on delete cascade, "parentId" {text} not null, "slug" {text} not null,
      "pageId" {text} not null, "createdAt" {text} not null, primary key ("spaceId", "parentId", "slug")
    );

    create table "link" (
      "spaceId" {text} not null references "space" ("id") on delete cascade, "pageId" {text} not null, "position" integer not null,
      "nodeKey" {text} not null, "kind" {text} not null, "target" {text} not null, "ref" {text} not null, "status" {text} not null,
      primary key ("spaceId", "pageId", "position")
    );
    create index "link_target" on "link" ("spaceId", "kind", "target");
    create index "link_status" on "link" ("spaceId", "status", "pageId", "position");
  `,
}
