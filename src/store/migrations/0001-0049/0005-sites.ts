/** Sites and what they are made of. Frozen: a later change is a later migration. */
export default {
  number: 5,
  name: 'sites',
  both: `
    create table "site" (
      "id" {text} primary key, "organizationId" {text} not null references "organization" ("id") on delete cascade,
      "type" {text} not null, "title" {text} not null, "folded" {text} not null, "basename" {text} not null unique,
      "hostname" {text} unique, "proxy" {text}, "visibility" {text} not null, "published" integer not null,
      "agentsContext" {text} not null, "adaptiveContent" integer not null, "adaptiveSchema" {text}, "adaptiveUpdatedAt" {text},
      "customization" {text}, "visitorKeyVersion" integer not null, "fallbackURL" {text}, "logoutURL" {text},
      "createdBy" {text} not null, "createdAt" {text} not null, "updatedAt" {text} not null
    );
    create index "site_organization" on "site" ("organizationId", "createdAt", "id");

    create table "siteSectionGroup" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade, "rank" {text} not null,
      "title" {text} not null, "icon" {text}
    );
    create index "siteSectionGroup_site" on "siteSectionGroup" ("siteId");
    create table "siteSection" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade,
      "groupId" {text} references "siteSectionGroup" ("id") on delete set null, "rank" {text} not null, "title" {text} not null,
      "description" {text}, "icon" {text}, "path" {text} not null, "condition" {text}, "isDefault" integer not null,
      "createdAt" {text} not null, unique ("siteId", "path")
    );
    create table "siteSpace" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade,
      "sectionId" {text} references "siteSection" ("id") on delete cascade,
      "spaceId" {text} not null references "space" ("id") on delete cascade, "rank" {text} not null, "path" {text} not null,
      "condition" {text}, "isDefault" integer not null, "customization" {text}, "createdAt" {text} not null
    );
    create index "siteSpace_site" on "siteSpace" ("siteId");
    create index "siteSpace_space" on "siteSpace" ("spaceId");

    create table "shareLink" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade, "name" {text} not null,
      "active" integer not null, "createdAt" {text} not null
    );
    create index "shareLink_site" on "shareLink" ("siteId", "createdAt", "id");
    create table "redirect" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade, "source" {text} not null,
      "destination" {text} not null, "draft" integer not null, "captureWildcard" integer not null, "permanent" integer not null,
      "createdAt" {text} not null, "updatedAt" {text} not null, unique ("siteId", "source")
    );
    create index "redirect_created" on "redirect" ("siteId", "createdAt", "id");

    create table "siteInsight" (
      "siteId" {text} not null references "site" ("id") on delete cascade, "day" {text} not null, "type" {text} not null,
      "siteSpaceId" {text} not null, "pageId" {text} not null, "count" integer not null,
      primary key ("siteId", "day", "type", "siteSpaceId", "pageId")
    );
    create table "pageFeedback" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade, "siteSpaceId" {text} not null,
      "pageId" {text} not null, "rating" {text}, "comment" {text}, "createdAt" {text} not null
    );
    create index "pageFeedback_site" on "pageFeedback" ("siteId", "createdAt", "id");
  `,
}
