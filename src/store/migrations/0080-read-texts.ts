/** What the files of imports were read as, by which an import knows a file that it need not read again. Frozen. */
export default {
  number: 80,
  name: 'read-texts',
  both: `
    create table "readText" (
      "spaceId" {text} not null references "space" ("id") on delete cascade, "path" {text} not null,
      "source" {text} not null, "document" {text}, "page" {text} not null, primary key ("spaceId", "path")
    );
  `,
}
