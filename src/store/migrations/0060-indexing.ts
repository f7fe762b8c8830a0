/** How far the search index and the links of a space have come that was copied whole. Frozen. */
export default {
  number: 60,
  name: 'indexing',
  both: `alter table "space" add column "indexedUpTo" {text};`,
}
