/**
 * Links to what lies outside a space: an index by which those to another space, a collection or a spec are found when it comes
 * or goes (store/content/outside-links.ts). What was stored of such links until now did not follow, links to specs and addresses
 * with other schemes than those of the web were held to be broken, and so were links to pages that specs make. An anchor of a page
 * is spelt in one way from now on, by which links to it are one. Frozen.
 */
interface Terms {
  thing: string
  hasScheme: string
  anchor: string
  hasEscapes: string
}

const sqlOf = ({ thing, hasScheme, anchor, hasEscapes }: Terms) => `
  create index "linkRow_outside" on "linkRow" (${thing}) where "ref" >= '{';
  update "linkRow" set "status" = 'ok' where "status" = 'broken' and exists (
    select 1 from "linkTarget" t where t."number" = "linkRow"."target" and t."kind" = 'url' and ${hasScheme});
  update "linkRow" set "status" = 'ok' where "status" = 'broken' and exists (
    select 1 from "linkTarget" t
      join "linkSpace" l on l."number" = t."space"
      join "space" s on s."id" = l."spaceId"
      join "openapiSpec" o on o."organizationId" = s."organizationId" and o."slug" = t."target" and o."slug" < '~'
      where t."number" = "linkRow"."target" and t."kind" = 'openapi');
  update "linkRow" set "status" = 'ok' where "status" = 'broken' and exists (
    select 1 from "linkTarget" t
      join "linkSpace" l on l."number" = t."space"
      join "searchPage" p on p."spaceId" = l."spaceId" and p."pageId" = t."target"
      where t."number" = "linkRow"."target" and t."kind" in ('page', 'anchor') and t."target" like '%!_%' escape '!');
  update "linkRow" set "status" = case when "status" = 'ok' then 'broken' else 'ok' end
    where "ref" >= '{' and exists (
      select 1 from "linkTarget" t
        join "linkSpace" l on l."number" = t."space"
        join "space" s on s."id" = l."spaceId"
        left join "space" o on o."id" = ${thing} and o."organizationId" = s."organizationId" and o."deletedAt" is null
        where t."number" = "linkRow"."target" and t."kind" not in ('openapi', 'collection')
          and ${thing} is not null and ${thing} <> s."id" and (o."id" is null) = ("linkRow"."status" = 'ok'));
  update "linkRow" set "ref" = '#' || (${anchor})
    where "ref" >= '{' and ${thing} is null and not ${hasEscapes} and exists (
      select 1 from "linkTarget" t where t."number" = "linkRow"."target" and t."kind" = 'anchor');
`

export default {
  number: 98,
  name: 'outside-links',
  sqlite: sqlOf({
    thing: `coalesce("ref" ->> '$.space', "ref" ->> '$.spec', "ref" ->> '$.collection')`,
    hasScheme: `t."target" glob '[A-Za-z]*:*' and substr(t."target", 1, instr(t."target", ':') - 1) not glob '*[^A-Za-z0-9+.-]*'`,
    anchor: `"ref" ->> '$.anchor'`,
    hasEscapes: `(instr("ref", '\\u') > 0)`,
  }),
  postgres: sqlOf({
    thing: `substring("ref" from '"(?:space|spec|collection)":"([^"]*)"')`,
    hasScheme: `t."target" ~ '^[A-Za-z][A-Za-z0-9+.-]*:'`,
    anchor: `"ref"::json ->> 'anchor'`,
    // JSON of half a character is text, but PostgreSQL makes none of it.
    hasEscapes: `(strpos("ref", '\\u') > 0)`,
  }),
}
