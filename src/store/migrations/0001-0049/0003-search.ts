/** The search index of the spaces' main content. Frozen: a later change is a later migration. */
export default {
  number: 3,
  name: 'search',
  // An entry's number holds those of its page and space (store/search-index/numbers.ts). Keys are "integer" on SQLite, which
  // makes them the rowid. Words are cut and folded by ourselves: the tokenizer only parts them at spaces; ~ is a gap. The
  // index is merged in small steps by whoever writes (search-index/sqlite.ts), not in large ones by itself.
  sqlite: `
    create table "searchSpace" ("number" integer primary key, "spaceId" text not null unique);
    create table "searchPage" (
      "number" integer primary key, "spaceId" text not null, "pageId" text not null, "title" text not null,
      "hidden" integer not null, "entries" integer not null, unique ("spaceId", "pageId")
    );
    create table "searchText" (
      "number" integer primary key, "anchor" text not null, "title" text not null, "body" text not null
    );
    create table "searchWord" (
      "space" integer not null, "word" text not null, primary key ("space", "word")
    ) without rowid;
    create virtual table "searchIndex" using fts5(
      "words", "marks", content='', contentless_delete=1, prefix='2 3', tokenize="ascii tokenchars '<^!=+#~-@'"
    );
    insert into "searchIndex" ("searchIndex", "rank") values ('automerge', 0);
    insert into "searchIndex" ("searchIndex", "rank") values ('crisismerge', 200);
  `,
  // The function keeps the planner from reading the whole table when a word is common: the index is always faster. Order
  // ("exact") is in the vectors only, so it is looked at in no more of them than "most". Vectors are kept in the row.
  postgres: `
    create table "searchSpace" (
      "number" bigint generated always as identity primary key, "spaceId" {text} not null unique
    );
    create table "searchPage" (
      "number" bigint primary key, "spaceId" {text} not null, "pageId" {text} not null, "title" {text} not null,
      "hidden" integer not null, "entries" integer not null, unique ("spaceId", "pageId")
    );
    create table "searchText" (
      "number" bigint primary key, "anchor" {text} not null, "title" {text} not null, "body" {text} not null
    );
    create table "searchWord" ("space" bigint not null, "word" {text} not null, primary key ("space", "word"));
    create table "searchIndex" ("number" bigint primary key, "vector" tsvector not null);
    alter table "searchIndex" alter column "vector" set storage main;
    create index "searchIndex_vector" on "searchIndex" using gin ("vector") with (fastupdate = off);
    create function "searchMatches"(loose tsquery, exact tsquery, spaces bigint[], most integer) returns setof bigint
      language plpgsql stable rows 1000 set enable_seqscan = off as $$ begin
        if exact is not null then return query
          select "number" from (
            select "number", "vector" from "searchIndex" where "vector" @@ loose
            and (spaces is null or "number" >> 33 in (select unnest(spaces))) limit most
          ) as "some" where "vector" @@ exact; elsif spaces is not null then return query
          select "number" from "searchIndex" where "vector" @@ loose and "number" >> 33 in (select unnest(spaces))
          limit most; else return query
          select "number" from "searchIndex" where "vector" @@ loose limit most; end if; end $$;
  `,
}
