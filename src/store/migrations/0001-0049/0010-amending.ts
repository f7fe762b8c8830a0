/** A revision that another took the place of, and since when a series of such saves goes on. Frozen. */
export default {
  number: 10,
  name: 'amending',
  both: `
    alter table "revision" add column "begunAt" {text};
    alter table "revision" add column "supersededAt" {text};
    create index "revision_superseded" on "revision" ("supersededAt", "id") where "supersededAt" is not null;
  `,
}
