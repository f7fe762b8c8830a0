/**
 * A look that is not saved yet, laid over the real site in its frame: colours, fonts and shape are a style sheet and the
 * classes of the root, which need no server. The frame shows our own pages, of this app's own origin.
 */
import { rootClasses } from '../../../theme/root-classes.ts'
import { siteStyle } from '../../../theme/style-sheet.ts'
import type { Customization } from './target.ts'

type Scheme = 'light' | 'dark'

/** What can be seen before it is saved. */
export const isSeenAtOnce = (path: string): boolean =>
  (path.startsWith('styling.') && path !== 'styling.icons') || /^header\.(preset|backgroundColor|linkColor)/.test(path)

/** Style sheets by the document they were made for: a frame that goes to another page has another document. */
const sheets = new WeakMap<Document, CSSStyleSheet>()

export function paint(frame: HTMLIFrameElement, settings: Customization, scheme: Scheme): void {
  const { contentDocument: page, contentWindow: view } = frame
  const root = page?.documentElement
  // Before it has loaded, it does not know its own style sheet, which says where fonts lie; then it is painted when it has.
  if (!page || !view || !root || page.readyState !== 'complete') return
  // Nothing is laid over a frame that shows something else than a page of the site.
  if (page.querySelector('link[rel="stylesheet"]') === null) return
  let sheet = sheets.get(page)
  if (!sheet) {
    sheet = makeSheet(view)
    if (!sheet) return
    sheets.set(page, sheet)
    page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet]
  }
  sheet.replaceSync(siteStyle(settings, { base: '', fonts: fontsOf(page), isOverOthers: true }).css)
  const classes = rootClasses(settings.styling)
  const sort = /^(?:look|links|list|side|search|corners)-/
  root.className = [...[...root.classList].filter((name) => !sort.test(name)), ...classes].join(' ')
  root.dataset.theme = scheme
}

/** A document takes only style sheets that its own window made. */
function makeSheet(view: Window): CSSStyleSheet | undefined {
  const Sheet: unknown = Reflect.get(view, 'CSSStyleSheet')
  const made: unknown = typeof Sheet === 'function' ? Reflect.construct(Sheet, []) : undefined
  return isSheet(made) ? made : undefined
}

// Of another window, so that `instanceof` does not know it.
const isSheet = (made: unknown): made is CSSStyleSheet =>
  typeof made === 'object' && made !== null && 'replaceSync' in made

/** Where the site's fonts lie, as its own style sheet says. */
function fontsOf(page: Document): string {
  for (const sheet of page.styleSheets) {
    for (const rule of sheet.href === null ? [] : sheet.cssRules) {
      const [, file] = /url\("?([^")]*fonts\.[\w-]+\/)/.exec(rule.cssText) ?? []
      if (file !== undefined) return new URL(file, sheet.href ?? page.baseURI).href
    }
  }
  return ''
}
