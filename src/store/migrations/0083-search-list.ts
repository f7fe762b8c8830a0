/**
 * New entries of the index wait in a list, from which they are put in their places together: a word that sixteen pages have in
 * common is then written once. Whoever writes empties the list (search-index/postgres.ts); should nobody, PostgreSQL does at
 * the size given here, in kilobytes. Frozen.
 */
export default {
  number: 83,
  name: 'search-list',
  postgres: `
    alter index "searchIndex_vector" set (fastupdate = on, gin_pending_list_limit = 1024);
  `,
}
