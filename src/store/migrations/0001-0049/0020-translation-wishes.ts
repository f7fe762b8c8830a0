/** How often a run over every page of a translation was wanted, and as of which wish it was made. Frozen. */
export default {
  number: 20,
  name: 'translation-wishes',
  both: `
    alter table "translation" add column "wishes" integer not null default 0;
    alter table "translation" add column "wishesMet" integer not null default 0;
  `,
}
