/** How far parts of the pages of a space were rendered before anybody read them. Frozen. */
export default {
  number: 94,
  name: 'rendered-spaces',
  both: `
    create table "renderedSpace" (
      "spaceId" {text} primary key references "space" ("id") on delete cascade,
      "renderer" {text} not null, "revisionId" {text}, "towards" {text}, "after" {text} not null
    );
  `,
}
