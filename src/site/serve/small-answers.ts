/** Small things that a site answers: its icon, its style sheet, its files, and what readers say of a page. */

import { createHash } from 'node:crypto'
import { CallFailed } from '../../client/client.ts'
import { ratings } from '../../core/enumerations.ts'
import { isId } from '../../core/ids.ts'
import { cutTo } from '../../core/text.ts'
import { faviconSvg } from '../render/favicon.ts'
import { fileHref, hrefBelow, tagOf } from './addresses.ts'
import type { SiteAssets } from './assets.ts'
import { navigationOf } from './navigation.ts'
import { notFound } from './not-found.ts'
import { profileOf } from './profile.ts'
import { type Answered, type Asked, redirectAway, redirectTo, type Visiting } from './visiting.ts'

export async function answerIcon(visiting: Visiting): Promise<Answered> {
  const profile = await profileOf(visiting)
  const customization = profile.customizationOf(undefined)
  const body = faviconSvg(customization, customization.title ?? profile.title)
  return {
    status: 200,
    headers: { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" },
    body,
    hash: createHash('sha1').update(body).digest('base64url').slice(0, 22),
    lasts: 'page',
  }
}

/** The style sheet of one of the site's looks. One that is no longer in use is answered by the present one, for now. */
export async function answerStyle(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const [, name = '', ...more] = asked.path
  if (more.length > 0 || !/^site\.[\w-]+\.css$/.test(name)) return notFound(visiting, asked, assets)
  const profile = await profileOf(visiting)
  const files = profile.customizations.map((customization) => assets.styleOf(customization))
  const found = files.find((file) => file.path === name)
  const file = found ?? files[0]
  if (!file) return notFound(visiting, asked, assets)
  return {
    status: 200,
    headers: { 'content-type': file.contentType },
    body: file.body,
    hash: file.path,
    lasts: found ? 'forever' : 'page',
  }
}

/** A file of one of the site's spaces, if this visitor sees the space. */
export async function answerFile(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const [, spaceId = '', fileId = '', tag, name, ...more] = asked.path
  if (!isId(spaceId) || !isId(fileId) || tag === undefined || name === undefined || more.length > 0)
    return notFound(visiting, asked, assets)
  try {
    const file = await visiting.client.getFileById({ spaceId, fileId })
    // Browsers keep what they get here, so that it is given only under the address that names these bytes.
    if (tag !== tagOf(file) || name !== file.name)
      return redirectTo(
        fileHref(visiting.site.basePath, { space: spaceId, id: fileId, tag: tagOf(file), name: file.name }),
      )
    return { status: 200, headers: {}, file: file.downloadURL, lasts: 'never' }
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return notFound(visiting, asked, assets)
    throw error
  }
}

/** The page as a PDF, or without a page the whole space. The API gives the address, if this visitor may have it. */
export async function answerPdf(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const [, spaceId = '', page, ...more] = asked.path
  if (!isId(spaceId) || (page !== undefined && !isId(page)) || more.length > 0) return notFound(visiting, asked, assets)
  try {
    const { url } = await visiting.client.getSpacePDF({
      spaceId,
      query: page === undefined ? {} : { page, only: true },
    })
    return redirectAway(url)
  } catch (error) {
    if (error instanceof CallFailed && error.status === 404) return notFound(visiting, asked, assets)
    throw error
  }
}

/** A page that a browser had fetched before is shown now. */
export async function answerView(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  if (asked.method !== 'POST' || !asked.form) return notFound(visiting, asked, assets)
  const profile = await profileOf(visiting)
  const siteSpace = profile.structure.spaces.find((one) => one.id === asked.form?.get('place'))
  const page = asked.form.get('page') ?? ''
  const known =
    siteSpace && isId(page) ? await navigationOf(visiting, profile, siteSpace).known(visiting, page) : undefined
  return {
    status: 204,
    headers: {},
    lasts: 'never',
    ...(siteSpace && known ? { viewed: { siteSpace: siteSpace.id, page } } : {}),
  }
}

const longestComment = 512

/** What a reader thinks of a page. Without a script they go back to the page they came from. */
export async function answerFeedback(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  if (asked.method !== 'POST' || !asked.form) return notFound(visiting, asked, assets)
  const profile = await profileOf(visiting)
  const siteSpace = profile.structure.spaces.find((one) => one.id === asked.form?.get('place'))
  const page = asked.form.get('page') ?? ''
  const entry =
    siteSpace && isId(page) ? await navigationOf(visiting, profile, siteSpace).known(visiting, page) : undefined
  const rating = ratings.find((one) => one === asked.form?.get('rating'))
  const comment = cutTo((asked.form.get('comment') ?? '').trim(), longestComment)
  if (siteSpace && entry && (rating !== undefined || comment !== '')) {
    const { client, site } = visiting
    await client.trackEventsInSiteById({
      organizationId: site.organizationId,
      siteId: site.id,
      body: {
        events: [
          {
            type: comment === '' ? 'page_post_feedback' : 'page_post_feedback_comment',
            location: { siteSpace: siteSpace.id, space: siteSpace.about.space.id, pageId: page },
            feedback: { ...(rating === undefined ? {} : { rating }), ...(comment === '' ? {} : { comment }) },
          },
        ],
      },
    })
  }
  return redirectTo(entry?.href ?? asked.from ?? hrefBelow(visiting.site.basePath, ''), 303)
}
