/** The static files of a site as pages name them, and the site's own style sheet among them. */
import { type Caches, defineCache } from '../../core/caches.ts'
import type { Customization } from '../../core/customization/shape.ts'
import { type SiteStyle, siteStyle } from '../../theme/style-sheet.ts'
import { loadSiteFiles, type SiteFiles, type StaticFile, styleFile } from '../files.ts'
import type { AssetUrls } from '../layout/page-view.ts'
import { assetHref } from './addresses.ts'

export interface SiteAssets {
  assetsOf(customization: Customization, basePath: string): AssetUrls
  /** A file that every site has. */
  common(path: string): StaticFile | undefined
  /** The style sheet of a customization. */
  styleOf(customization: Customization): StaticFile
}

interface Made {
  style: SiteStyle
  file: StaticFile
}

const stylesIn = defineCache<Made>('site styles', { share: 0.02 })

/** `built` is the folder of what the build made, `vendored` of what came with the sources. */
export function loadAssets(folders: { built: string; vendored: string }, caches: Caches): SiteAssets {
  const files: SiteFiles = loadSiteFiles({ ...folders, prefix: '' })
  const made = stylesIn(caches)
  const makeOf = (customization: Customization): Made => {
    const key = JSON.stringify(customization.styling) + JSON.stringify(customization.header)
    const known = made.get(key)
    if (known) return known
    // The fonts lie beside the style sheet, so that it can name them without knowing where the site is.
    const style = siteStyle(customization, { base: files.baseStyle, fonts: files.fonts })
    const fresh = { style, file: styleFile(style.css) }
    made.set(key, fresh, 3 * style.css.length)
    return fresh
  }
  return {
    common: (path) => files.all.get(path),
    styleOf: (customization) => makeOf(customization).file,
    assetsOf: (customization, basePath) => {
      const { style, file } = makeOf(customization)
      const href = (path: string): string => assetHref(basePath, path)
      return {
        style: href(file.path),
        early: href(files.early),
        script: href(files.script),
        math: href(files.math),
        diagrams: href(files.diagrams),
        // A font of the owner's own has an address of its own.
        preload: style.preload.map((path) => (/^https?:/.test(path) ? path : href(path))),
        themeColor: style.themeColor,
      }
    },
  }
}
