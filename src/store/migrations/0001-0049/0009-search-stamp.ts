/** Tells when the index of a space has changed, so that answers can be kept until then. Frozen. */
export default {
  number: 9,
  name: 'search stamp',
  both: `alter table "searchSpace" add column "stamp" {text};`,
}
