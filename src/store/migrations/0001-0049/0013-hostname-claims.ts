/** Host names that a site asks for and has not proved yet, and visitors' tokens too large for a cookie. Frozen. */
export default {
  number: 13,
  name: 'hostname-claims',
  both: `
    alter table "site" add column "claimedHostname" {text};
    alter table "site" add column "claimedAt" {text};
    create index "site_claimedHostname" on "site" ("claimedHostname");

    create table "visitorToken" (
      "id" {text} primary key, "siteId" {text} not null references "site" ("id") on delete cascade,
      "token" {text} not null, "expiresAt" {text} not null
    );
    create index "visitorToken_site" on "visitorToken" ("siteId");
    create index "visitorToken_expiresAt" on "visitorToken" ("expiresAt");
  `,
}
