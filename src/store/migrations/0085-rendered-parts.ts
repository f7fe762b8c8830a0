/** What parts of published pages were rendered as: highlighted code, formulas. Frozen. */
export default {
  number: 85,
  name: 'rendered-parts',
  both: `
    create table "renderedPart" ("hash" {text} primary key, "bytes" {bytes} not null, "usedAt" {text} not null);
    create index "renderedPart_usedAt" on "renderedPart" ("usedAt");
  `,
}
