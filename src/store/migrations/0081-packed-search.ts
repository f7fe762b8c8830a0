/** The texts of the search index packed (store/packed/short-texts.ts). A job packs what is there. Frozen. */
export default {
  number: 81,
  name: 'packed-search',
  both: `
    alter table "searchText" add column "packed" {bytes};
    insert into "job" ("id", "kind", "payload", "uniqueKey", "state", "attempts", "runAt", "createdAt")
      select 'packing-search', 'pack', '{}', 'all', 'waiting', 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
      where exists (select 1 from "searchText")
      and not exists (select 1 from "job" where "kind" = 'pack' and "uniqueKey" = 'all');
  `,
  // What is deflated already is not compressed a second time.
  postgres: `alter table "searchText" alter column "packed" set storage external;`,
}
