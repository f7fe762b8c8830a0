/**
 * Rendering of published sites: plain values in, HTML out. Nothing here knows where the values come from.
 *
 * A server builds a `PageView` (layout/page-view.ts) and calls `renderPage`; the pages that stand in for one have
 * functions of their own. Static files come from `loadSiteFiles`, the style sheet of one site from `siteStyle`.
 */

export { type CustomizationInput, completeCustomization, defaultCustomization } from '../core/customization/complete.ts'
export { type Customization, type Locale, locales } from '../core/customization/shape.ts'
export { safeUrl } from '../core/safe-url.ts'

export { type SiteStyle, siteStyle } from '../theme/style-sheet.ts'
export { loadSiteFiles, type SiteFiles, type StaticFile, styleFile } from './files.ts'
export { renderPage, writePage } from './layout/page.ts'
export type {
  AssetUrls,
  Crumb,
  PageInfo,
  PageLink,
  PageView,
  RenderedPage,
  SectionEntry,
  SectionLink,
  SiteFrame,
  SiteInfo,
  VariantEntry,
} from './layout/page-view.ts'
export type { SearchAnswer, SearchPage, Snippet } from './layout/search-answer.ts'
export {
  renderEmptySite,
  renderError,
  renderLogin,
  renderNotFound,
  renderSearchPage,
  renderTreePage,
} from './layout/stand-in.ts'
export { sliceTree, type TreeItem, type TreeNode, type TreeSlice, treeLevel } from './layout/tree.ts'
export { renderTreeFragment } from './layout/tree-html.ts'
export { stringsOf } from './locales/strings.ts'
export { frameHosts } from './render/embeds.ts'
export { faviconSvg } from './render/favicon.ts'
export { warmHighlighting } from './render/highlight.ts'
export { loadIcons } from './render/icons.ts'
export { prepareDocument } from './render/prepare.ts'
export type { Prepared, Questions, ResolvedRef } from './render/scope.ts'
