/**
 * Grants on spaces and collections that belong to another organization than they do, and invites to such. Who followed an invite after
 * a transfer had been given rights by the organization that the thing had left. Frozen.
 */
const ofAnother = (table: string, kind: string) => `
    delete from "${table}" where "thingKind" = '${kind}' and not exists (
      select 1 from "${kind}" where "${kind}"."id" = "${table}"."thingId" and "${kind}"."organizationId" = "${table}"."organizationId");`

export default {
  number: 97,
  name: 'stray-rights',
  both: ['accessGrant', 'invite']
    .flatMap((table) => ['space', 'collection'].map((kind) => ofAnother(table, kind)))
    .join(''),
}
