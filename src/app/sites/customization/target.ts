/** Whose customization it is, a site's or that of one space of it; how it is read and written. */
import { client, type Input, type Output } from '../../session/client.ts'
import { settingAt } from './settings.ts'

export type Customization = Output<'getSiteCustomizationById'>

export interface Target {
  organizationId: string
  siteId: string
  /** Of one space of the site. */
  siteSpaceId?: string
}

/** With its version: a write names it, and is refused when somebody else wrote since. */
export interface Versioned {
  customization: Customization
  etag: string | undefined
}

export async function readCustomization({ siteSpaceId, ...site }: Target, signal?: AbortSignal): Promise<Versioned> {
  const rest = signal === undefined ? {} : { signal }
  const { body, headers } = await (siteSpaceId === undefined
    ? client.getSiteCustomizationById.withHeaders({ ...site, ...rest })
    : client.getSiteSpaceCustomizationById.withHeaders({ ...site, siteSpaceId, ...rest }))
  return { customization: body, etag: headers.etag }
}

interface Change {
  /** The settings that differ, by their paths. */
  changed: readonly string[]
  customization: Customization
  etag: string | undefined
}

/** A site's is written whole. Of a space only the parts that were changed are, so that it goes on following the site in others. */
export function writeCustomization(
  { siteSpaceId, ...site }: Target,
  { changed, customization, etag }: Change,
): Promise<Customization> {
  const ifMatch = etag === undefined ? {} : { ifMatch: etag }
  if (siteSpaceId === undefined) return client.updateSiteCustomizationById({ ...site, ...ifMatch, body: customization })
  const body: NonNullable<Input<'overrideSiteSpaceCustomizationById'>['body']> = {}
  for (const name of new Set(changed.map((path) => path.split('.')[0] ?? '')))
    Reflect.set(body, name, settingAt(customization, name))
  return client.overrideSiteSpaceCustomizationById({ ...site, siteSpaceId, ...ifMatch, body })
}
