/** OpenAPI specs and their versions. Frozen: a later change is a later migration. */
export default {
  number: 15,
  name: 'openapi',
  both: `
    create table "openapiSpec" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "slug" {text} not null, "sourceURL" {text}, "sourceBlob" {text}, "visibility" {text} not null,
      "processingState" {text} not null, "lastVersionId" {text}, "lastProcessedAt" {text}, "errorCode" {text},
      "errors" {text}, "createdBy" {text} not null, "createdAt" {text} not null, "updatedAt" {text} not null,
      unique ("organizationId", "slug")
    );
    create index "openapiSpec_created" on "openapiSpec" ("organizationId", "createdAt", "id");
    create index "openapiSpec_blob" on "openapiSpec" ("sourceBlob");
    create table "openapiVersion" (
      "id" {text} primary key, "specId" {text} not null references "openapiSpec" ("id") on delete cascade,
      "url" {text} not null, "contentBlob" {text} not null, "rootBlob" {text} not null, "partsBlob" {text} not null,
      "createdAt" {text} not null
    );
    create index "openapiVersion_spec" on "openapiVersion" ("specId", "createdAt", "id");
    create index "openapiVersion_content" on "openapiVersion" ("contentBlob");
    create index "openapiVersion_root" on "openapiVersion" ("rootBlob");
    create index "openapiVersion_parts" on "openapiVersion" ("partsBlob");
  `,
}
