/**
 * The view of links that are not in order, on PostgreSQL: pages and targets are found by the rows alone. That they are of the same
 * space went without saying, and led the planner, while it knew nothing of the tables, to try every page of a space
 * with every target: 0.4 s for 600 links, and more with the square. Frozen.
 */
export default {
  number: 96,
  name: 'links-not-ok',
  postgres: `
    create or replace view "linkNotOk" as
      select s."spaceId", p."pageId", r."position", r."nodeKey", t."kind", t."target", r."ref", r."status"
        from "linkSpace" s
        join "linkRow" r on r."space" = s."number"
        join "linkPage" p on p."number" = r."page"
        join "linkTarget" t on t."number" = r."target"
        where r."status" <> 'ok'
      union all
      select "spaceId", "pageId", "position", "nodeKey", "kind", "target", "ref", "status" from "link" where "status" <> 'ok';
  `,
}
