/** What a sweep needs: when a node or document was last written, and what it has found in use. Frozen. */
export default {
  number: 8,
  name: 'sweep',
  both: `
    alter table "treeNode" add column "writtenAt" {text};
    alter table "document" add column "writtenAt" {text};
    create index "spaceDocument_hash" on "spaceDocument" ("hash");
    create table "sweepMark" ("hash" {text} primary key, "note" {text});
  `,
}
