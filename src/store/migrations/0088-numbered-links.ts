/**
 * Links as numbers: pages and targets are texts once for a space, and a link names both by number. Rows of an older version
 * stay in "link" until a job has moved them; "everyLink" shows both, and
 * "linkNotOk" those of both that are not in order (store/content/links.ts). Frozen.
 */
const viewOf = (name: string, where: (row: string) => string) => `
  create view "${name}" as
    select s."spaceId", p."pageId", r."position", r."nodeKey", t."kind", t."target", r."ref", r."status"
      from "linkSpace" s
      join "linkRow" r on r."space" = s."number"
      join "linkPage" p on p."number" = r."page" and p."space" = s."number"
      join "linkTarget" t on t."number" = r."target" and t."space" = s."number"
      ${where('r.')}
    union all
    select "spaceId", "pageId", "position", "nodeKey", "kind", "target", "ref", "status" from "link" ${where('')};
`

const views = `
  ${viewOf('everyLink', () => '')}
  ${viewOf('linkNotOk', (row) => `where ${row}"status" <> 'ok'`)}
  create index "linkRow_target" on "linkRow" ("target");
  create index "linkRow_not_ok" on "linkRow" ("space", "status") where "status" <> 'ok';
  insert into "job" ("id", "kind", "payload", "uniqueKey", "state", "attempts", "runAt", "createdAt")
    select 'numbering-links', 'pack', '{}', 'all', 'waiting', 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
    where exists (select 1 from "link")
    and not exists (select 1 from "job" where "kind" = 'pack' and "uniqueKey" = 'all');
`

export default {
  number: 88,
  name: 'numbered-links',
  // SQLite plans by what it is told of indexes: a space has many pages and many targets, and a page few links. Otherwise it
  // would try every page of a space with every target.
  sqlite: `
    create table "linkSpace" (
      "number" integer primary key, "spaceId" text not null unique references "space" ("id") on delete cascade
    );
    create table "linkPage" (
      "number" integer primary key, "space" integer not null references "linkSpace" ("number") on delete cascade,
      "pageId" text not null, unique ("space", "pageId")
    );
    create table "linkTarget" (
      "number" integer primary key, "space" integer not null references "linkSpace" ("number") on delete cascade,
      "kind" text not null, "target" text not null, unique ("space", "kind", "target")
    );
    create table "linkRow" (
      "page" integer not null references "linkPage" ("number") on delete cascade, "position" integer not null,
      "space" integer not null, "target" integer not null, "nodeKey" text not null, "ref" text not null, "status" text not null,
      primary key ("page", "position")
    ) without rowid;
    ${views}
    analyze "linkRow";
    insert into "sqlite_stat1" ("tbl", "idx", "stat") values
      ('linkSpace', 'sqlite_autoindex_linkSpace_1', '1000 1'),
      ('linkPage', 'sqlite_autoindex_linkPage_1', '100000 1000 1'),
      ('linkTarget', 'sqlite_autoindex_linkTarget_1', '300000 3000 1000 1'),
      ('linkRow', 'linkRow', '3000000 30 1'),
      ('linkRow', 'linkRow_target', '3000000 10 1 1'),
      ('linkRow', 'linkRow_not_ok', '30000 30 20 1 1');
    analyze "sqlite_schema";
  `,
  postgres: `
    create table "linkSpace" (
      "number" integer generated always as identity primary key,
      "spaceId" {text} not null unique references "space" ("id") on delete cascade
    );
    create table "linkPage" (
      "number" integer generated always as identity primary key,
      "space" integer not null references "linkSpace" ("number") on delete cascade,
      "pageId" {text} not null, unique ("space", "pageId")
    );
    create table "linkTarget" (
      "number" integer generated always as identity primary key,
      "space" integer not null references "linkSpace" ("number") on delete cascade,
      "kind" {text} not null, "target" {text} not null, unique ("space", "kind", "target")
    );
    create table "linkRow" (
      "page" integer not null references "linkPage" ("number") on delete cascade, "position" integer not null,
      "space" integer not null, "target" integer not null,
      "nodeKey" {text} not null, "ref" {text} not null, "status" {text} not null, primary key ("page", "position")
    );
    ${views}
  `,
}
