/** Translations of spaces, the texts they are made of, and the glossary. Frozen: a later change is a later migration. */
export default {
  number: 16,
  name: 'translations',
  both: `
    create table "translation" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "sourceSpaceId" {text} not null references "space" ("id") on delete cascade, "sourceLanguage" {text} not null,
      "language" {text} not null, "instructions" {text} not null, "status" {text} not null, "error" {text},
      "resultSpaceId" {text} references "space" ("id") on delete set null, "resultRevisionId" {text},
      "sourceRevisionId" {text}, "untranslated" {text} not null, "runs" integer not null, "totalWords" integer not null,
      "totalPages" integer not null, "totalDuration" integer not null, "latestRunDuration" integer not null,
      "latestPages" integer not null, "latestWords" integer not null, "actorId" {text} not null,
      "createdAt" {text} not null, "updatedAt" {text} not null,
      unique ("sourceSpaceId", "language")
    );
    create index "translation_created" on "translation" ("organizationId", "createdAt", "id");
    create index "translation_result" on "translation" ("resultSpaceId");
    create table "translatedText" (
      "translationId" {text} not null references "translation" ("id") on delete cascade,
      "hash" {text} not null, "text" {text} not null,
      primary key ("translationId", "hash")
    );
    create table "glossaryEntry" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "term" {text} not null, "translations" {text} not null, "createdAt" {text} not null, "updatedAt" {text} not null,
      unique ("organizationId", "term")
    );
    create index "glossaryEntry_created" on "glossaryEntry" ("organizationId", "createdAt", "id");
  `,
}
