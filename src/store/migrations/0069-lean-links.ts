/** Links that are in order need no index of their state: the few that are not have one of their own. Frozen. */
export default {
  number: 69,
  name: 'lean-links',
  both: `
    drop index "link_status";
    create index "link_not_ok" on "link" ("spaceId", "status") where "status" <> 'ok';
  `,
}
