/** Conflicts of a merge that leave no mark in a document: of titles, places and files. Frozen. */
export default {
  number: 6,
  name: 'conflicts',
  both: `
    alter table "changeRequest" add column "conflicts" {text};
  `,
}
