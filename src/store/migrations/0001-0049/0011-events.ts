/**
 * Events in the order of their commits, with who is behind them; who is looking at what. Frozen.
 *
 * On PostgreSQL numbers are taken before a transaction commits, so the order is by transaction first ("xact"), and readers
 * wait for those that are under way (store/events.ts). On SQLite writers take turns, and "xact" is always 0.
 */
export default {
  number: 11,
  name: 'events',
  both: `
    alter table "event" add column "seq" bigint not null default 0;
    alter table "event" add column "xact" bigint not null default 0;
    alter table "event" add column "spaceId" {text};
    alter table "event" add column "changeRequestId" {text};
    alter table "event" add column "credentialKind" {text};
    alter table "event" add column "credentialId" {text};
    alter table "event" add column "address" {text};
    create table "presence" (
      "spaceId" {text} not null references "space" ("id") on delete cascade, "changeRequestId" {text} not null,
      "userId" {text} not null references "user" ("id") on delete cascade, "pageId" {text} not null, "block" {text},
      "seenAt" {text} not null, primary key ("spaceId", "changeRequestId", "userId")
    );
    create index "presence_seen" on "presence" ("seenAt");
  `,
  sqlite: `
    update "event" set "seq" = (
      select "n" from (select "id", row_number() over (order by "occurredAt", "id") as "n" from "event") as "o"
      where "o"."id" = "event"."id"
    );
    create unique index "event_seq" on "event" ("seq");
    create index "event_order" on "event" ("xact", "seq");
    create index "event_organization" on "event" ("organizationId", "xact", "seq");
    create index "event_space" on "event" ("spaceId", "xact", "seq");
  `,
  postgres: `
    create sequence "event_numbers";
    update "event" set "seq" = "o"."n"
      from (select "id", row_number() over (order by "occurredAt", "id") as "n" from "event") as "o"
      where "o"."id" = "event"."id";
    select setval('event_numbers', (select coalesce(max("seq"), 0) + 1 from "event"), false);
    create unique index "event_seq" on "event" ("seq");
    create index "event_order" on "event" ("xact", "seq");
    create index "event_organization" on "event" ("organizationId", "xact", "seq");
    create index "event_space" on "event" ("spaceId", "xact", "seq");
  `,
}
