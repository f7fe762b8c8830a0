/** Where in a block somebody's cursor is. Frozen. */
export default {
  number: 73,
  name: 'presence-position',
  both: `alter table "presence" add column "position" integer;`,
}
