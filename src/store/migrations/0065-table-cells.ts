/** The cell that a comment on a table is about. Frozen. */
export default {
  number: 65,
  name: 'table-cells',
  both: `alter table "comment" add column "tableCell" {text};`,
}
