/**
 * Rendering of published sites: plain values in, HTML out. Nothing here knows where the values come from.
 *
 * A server builds a `PageView` (layout/page-view.ts) and calls `renderPage`; the pages that stand in for one have
 * functions of their own. Static files come from `loadSiteFiles`, the style sheet of one site from `siteStyle`.
 */

export { type CustomizationInput, completeCustomization, defaultCustomization } from '../core/customization/complete.ts'
export { type Customization, locales } from '../core/customization/shape.ts'

export { siteStyle } from '../theme/style-sheet.ts'
export { loadSiteFiles, type SiteFiles, type StaticFile, styleFile } from './files.ts'
export { renderPage, writePage } from './layout/page.ts'
export type {
  PageView,
  RenderedPage,
} from './layout/page-view.ts'
export type { SearchAnswer } from './layout/search-answer.ts'
export {
  renderError,
  renderLogin,
  renderNotFound,
  renderSearchPage,
  renderTreePage,
} from './layout/stand-in.ts'
export { sliceTree, type TreeItem, treeLevel } from './layout/tree.ts'
export { renderTreeFragment } from './layout/tree-html.ts'
export { stringsOf } from './locales/strings.ts'
export type { Questions, ResolvedRef } from './render/context.ts'
export { frameHosts } from './render/embeds.ts'
export { faviconSvg } from './render/favicon.ts'
export { loadIcons } from './render/icons.ts'
export { prepareDocument } from './render/prepare.ts'
