/** How many sections were written since the index of words was last merged into one part. Frozen. */
export default {
  number: 92,
  name: 'search-written',
  both: `alter table "searchSpace" add column "written" integer not null default 0;`,
}
