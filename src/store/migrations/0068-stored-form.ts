/** Nodes and documents packed (store/packed/pack.ts), and what documents print as. A job packs what is there. Frozen. */
export default {
  number: 68,
  name: 'stored-form',
  both: `
    alter table "treeNode" add column "packed" {bytes};
    alter table "document" add column "packed" {bytes};
    alter table "document" add column "base" {text};
    create index "document_base" on "document" ("base") where "base" is not null;
    create table "printed" ("hash" {text} primary key, "printer" {text} not null, "packed" {bytes} not null);
    insert into "job" ("id", "kind", "payload", "uniqueKey", "state", "attempts", "runAt", "createdAt")
      select 'packing-all-content', 'pack', '{}', 'all', 'waiting', 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
      where exists (select 1 from "treeNode") or exists (select 1 from "document");
  `,
  // What is deflated already is not compressed a second time.
  postgres: `
    alter table "treeNode" alter column "packed" set storage external;
    alter table "document" alter column "packed" set storage external;
    alter table "printed" alter column "packed" set storage external;
  `,
}
