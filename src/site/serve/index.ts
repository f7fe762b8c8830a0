/**
 * The server of published sites: a visitor and what they ask for in, an answer out. It knows no sockets and no database;
 * what it shows it reads through the visitor's own client, so that it can show nothing else.
 */

import type { Caches } from '../../core/caches.ts'
import type { Customization } from '../../core/customization/shape.ts'
import type { Threads } from '../../threads/supervisor.ts'
import type { SiteFrame } from '../layout/page-view.ts'
import { renderError, renderLogin } from '../layout/stand-in.ts'
import { assetsSegment, hrefBelow } from './addresses.ts'
import { loadAssets, type SiteAssets } from './assets.ts'
import { htmlAnswer } from './html-answer.ts'
import { answerMarkdown, markdownPath } from './machines/markdown.ts'
import { notFound } from './not-found.ts'
import { answerPage } from './page.ts'
import { routeAt } from './routes.ts'
import { type Answered, type Asked, redirectTo, type VisitedSite, type Visiting } from './visiting.ts'

export type { Answered, Asked, VisitedSite, Visiting } from './visiting.ts'

/** The part of a site that is shown before anyone is let in. */
export interface SiteIdentity {
  site: VisitedSite
  title: string
  customization: Customization
}

export interface SiteServer {
  answer(visiting: Visiting, asked: Asked): Promise<Answered>
  /** A static file that every site has, by its path below the site; for anyone. */
  common(path: readonly string[]): Answered | undefined
  /** What who is not signed in sees, on a site that has nowhere to sign in. */
  shut(identity: SiteIdentity, asked: Asked): Promise<Answered>
  /** Something went wrong. */
  failed(identity: SiteIdentity, requestId: string): Promise<Answered>
}

/** What the whole process has. */
interface Tools {
  caches: Caches
  threads: Threads
}

export function makeSiteServer(folders: { built: string; vendored: string }, tools: Tools): SiteServer {
  const assets = loadAssets(folders, tools.caches)
  return {
    answer: (visiting, asked) => answer(visiting, asked, assets),
    common: ([segment, ...path]) => {
      const file = segment === assetsSegment ? assets.common(path.join('/')) : undefined
      return (
        file && {
          status: 200,
          headers: {
            'content-type': file.contentType,
            ...(file.policy === undefined ? {} : { 'content-security-policy': file.policy }),
          },
          body: file.body,
          hash: file.path,
          lasts: 'forever',
        }
      )
    },
    shut: async (identity, asked) => {
      const style = styleAt(identity, asked, assets)
      if (style) return style
      return htmlAnswer(identity, await renderLogin(bareFrame(identity, assets)), { status: 401 })
    },
    failed: async (identity, requestId) =>
      htmlAnswer(identity, await renderError(bareFrame(identity, assets), requestId), { status: 500 }),
  }
}

async function answer(visiting: Visiting, asked: Asked, assets: SiteAssets): Promise<Answered> {
  const [first = '', ...rest] = asked.path
  const route = routeAt(first)
  if (route && (route.below || rest.length === 0)) {
    if (asked.method === 'POST' && !route.post) return methodNotAllowed
    return route.answer(visiting, asked, assets)
  }
  if (asked.method === 'POST') return methodNotAllowed
  // No page and no place has a tilde in its path.
  if (first.startsWith('~')) return notFound(visiting, asked, assets)
  // One page, one address: a slash at the end or twice inside leads to the address without.
  const plain = asked.path.filter((segment) => segment !== '')
  if (plain.length < asked.path.length) {
    const search = asked.query.size === 0 ? '' : `?${asked.query}`
    return redirectTo(`${hrefBelow(visiting.site.basePath, plain.join('/'))}${search}`, 308)
  }
  const markdown = markdownPath(asked)
  return (markdown && (await answerMarkdown(visiting, markdown))) ?? answerPage(visiting, asked, assets)
}

const methodNotAllowed: Answered = {
  status: 405,
  headers: { allow: 'GET, HEAD', 'content-type': 'text/plain; charset=utf-8' },
  body: 'This address is for reading.\n',
  lasts: 'never',
}

/** Before anyone is let in the site has its look, and nothing else of its own. */
function bareFrame({ site, title, customization }: SiteIdentity, assets: SiteAssets): SiteFrame {
  return {
    site: {
      id: site.id,
      title,
      url: site.root,
      basePath: site.basePath,
      home: hrefBelow(site.basePath, ''),
      noIndex: true,
    },
    customization,
    assets: assets.assetsOf(customization, site.basePath),
    sections: [],
    versions: [],
    languages: [],
    tree: { nodes: [], before: 0, after: 0 },
    treeKey: '',
    questions: { resolve: () => undefined, holds: () => false },
    search: false,
  }
}

function styleAt({ customization }: SiteIdentity, { path }: Asked, assets: SiteAssets): Answered | undefined {
  const file = assets.styleOf(customization)
  if (path.length !== 2 || path[0] !== assetsSegment || path[1] !== file.path) return undefined
  return {
    status: 200,
    headers: { 'content-type': file.contentType },
    body: file.body,
    hash: file.path,
    lasts: 'forever',
  }
}
