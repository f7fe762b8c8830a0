/**
 * The special paths of a site: one row each, one file each (or a function of small-answers.ts). Whatever is not here is the
 * path of a page. A row with `below` also takes what stands below its path.
 */
import type { SiteAssets } from './assets.ts'
import { answerFullText, answerMarkdownMap, answerOverview } from './machines/llms.ts'
import { answerRobots } from './machines/robots.ts'
import { answerRss } from './machines/rss.ts'
import { answerSitemap, isSitemapPart } from './machines/sitemap.ts'
import { answerSearch } from './search.ts'
import { answerFeedback, answerFile, answerIcon, answerPdf, answerStyle, answerView } from './small-answers.ts'
import { answerTree } from './tree.ts'
import type { Answered, Asked, Visiting } from './visiting.ts'

export type Answer = (visiting: Visiting, asked: Asked, assets: SiteAssets) => Promise<Answered>

interface Route {
  answer: Answer
  below?: true
  /** Other methods than GET and HEAD. */
  post?: true
}

/** Beside parts of a sitemap. */
// biome-ignore format: a table reads best as one.
export const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['~search',     { answer: answerSearch }],
  ['~tree',       { answer: answerTree, below: true }],
  ['~icon.svg',   { answer: answerIcon }],
  ['favicon.ico', { answer: answerIcon }],
  ['~assets',     { answer: answerStyle, below: true }],
  ['~files',      { answer: answerFile, below: true }],
  ['~pdf',        { answer: answerPdf, below: true }],
  ['~feedback',   { answer: answerFeedback, post: true }],
  ['~view',       { answer: answerView, post: true }],

  // For machines.
  ['robots.txt',    { answer: answerRobots }],
  ['sitemap.xml',   { answer: answerSitemap }],
  ['llms.txt',      { answer: answerOverview }],
  ['sitemap.md',    { answer: answerMarkdownMap }],
  ['llms-full.txt', { answer: answerFullText }],
  ['rss.xml',       { answer: answerRss }],
  // Few sites meet an assistant, and what it takes is loaded for the first.
  // Some clients want an address that ends in `/mcp`, and have `~mcp/mcp`.
  ['~mcp',          { below: true, answer: async (visiting, asked) => (await import('./machines/mcp.ts')).answerMcp(visiting, asked), post: true }],
])

export const routeAt = (name: string): Route | undefined =>
  routes.get(name) ?? (isSitemapPart(name) ? routes.get('sitemap.xml') : undefined)
