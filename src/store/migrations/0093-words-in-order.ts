/**
 * On PostgreSQL the words of a section as a text in its row, from which the index is made by an expression, in place of a
 * tsvector in a row of its own, which took nearly twice as much. A job moves what is there (search-index/move-vectors.ts);
 * until then "searchFound" also looks there. Building the index reads the table once and finds nothing to put in. Frozen.
 */
const lexemes = `array_to_tsvector(array_remove(string_to_array("words" || ' ' || "tags", ' '), '~'))`

export default {
  number: 93,
  name: 'words-in-order',
  // As in step 3, the function keeps the planner from reading the whole table when a word is common.
  postgres: `
    alter table "searchText" add column "words" {text};
    alter table "searchText" add column "tags" {text};
    create index "searchText_words" on "searchText" using gin ((${lexemes}))
      with (fastupdate = on, gin_pending_list_limit = 1024) where "words" is not null;
    create function "searchFound"(loose tsquery, exact tsquery, spaces bigint[], most integer) returns setof bigint
      language plpgsql stable rows 1000 set enable_seqscan = off as $$ begin
        if spaces is null then return query
          select "number" from "searchText" where "words" is not null and ${lexemes} @@ loose limit most; else return query
          select "number" from "searchText" where "words" is not null and ${lexemes} @@ loose
          and "number" >> 33 in (select unnest(spaces)) limit most; end if; if exists (select 1 from "searchIndex") then
          return query select "searchMatches"(loose, exact, spaces, most); end if; end $$;
    insert into "job" ("id", "kind", "payload", "uniqueKey", "state", "attempts", "runAt", "createdAt")
      select 'moving-vectors', 'pack', '{}', 'all', 'waiting', 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'
      where exists (select 1 from "searchIndex")
      and not exists (select 1 from "job" where "kind" = 'pack' and "uniqueKey" = 'all');
  `,
}
