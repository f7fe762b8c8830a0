// Copies fonts, icons and math files out of their npm packages into this folder. Run by hand when a version changes:
//   npm install --prefix /tmp/vendor <the packages named below>; node assets/site/vendor.js /tmp/vendor/node_modules
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const from = process.argv[2]
const here = new URL('.', import.meta.url).pathname
const root = new URL('../..', import.meta.url).pathname
const require = createRequire(import.meta.url)
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const fresh = (name) => {
  rmSync(`${here}${name}`, { recursive: true, force: true })
  mkdirSync(`${here}${name}`, { recursive: true })
}

// The names of the customization, the package each comes from, and the weights taken of those that are not variable.
const families = {
  Inter: ['@fontsource-variable/inter', 'inter'],
  Roboto: ['@fontsource-variable/roboto', 'roboto'],
  RobotoSlab: ['@fontsource-variable/roboto-slab', 'robotoSlab'],
  OpenSans: ['@fontsource-variable/open-sans', 'openSans'],
  SourceSansPro: ['@fontsource-variable/source-sans-3', 'sourceSans3'],
  Lato: ['@fontsource/lato', 'lato', [400, 700]],
  Ubuntu: ['@fontsource/ubuntu', 'ubuntu', [400, 500, 700]],
  Raleway: ['@fontsource-variable/raleway', 'raleway'],
  Merriweather: ['@fontsource-variable/merriweather', 'merriweather'],
  Overpass: ['@fontsource-variable/overpass', 'overpass'],
  NotoSans: ['@fontsource-variable/noto-sans', 'notoSans'],
  IBMPlexSerif: ['@fontsource/ibm-plex-serif', 'iBMPlexSerif', [400, 500, 700]],
  Poppins: ['@fontsource/poppins', 'poppins', [400, 500, 600]],
  FiraSans: ['@fontsource/fira-sans', 'firaSans', [400, 500, 600]],
  FiraCode: ['@fontsource-variable/fira-code', 'firaCode'],
  IBMPlexMono: ['@fontsource/ibm-plex-mono', 'iBMPlexMono', [400, 600]],
  JetBrainsMono: ['@fontsource-variable/jetbrains-mono', 'jetBrainsMono'],
  SourceCodePro: ['@fontsource-variable/source-code-pro', 'sourceCodePro'],
  RobotoMono: ['@fontsource-variable/roboto-mono', 'robotoMono'],
  SpaceMono: ['@fontsource/space-mono', 'spaceMono', [400, 700]],
  DMMono: ['@fontsource/dm-mono', 'dMMono', [400, 500]],
  Inconsolata: ['@fontsource-variable/inconsolata', 'inconsolata'],
}
const subsets = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese']

function vendorFonts() {
  fresh('fonts')
  const { entireMetricsCollection: metrics } = require(`${from}/@capsizecss/metrics/dist/entireMetricsCollection.cjs`)
  const manifest = {}
  const notices = []
  for (const [name, [source, metric, weights]] of Object.entries(families)) {
    const folder = `${from}/${source}`
    const meta = readJson(`${folder}/metadata.json`)
    const ranges = readJson(`${folder}/unicode.json`)
    const faces = []
    const mono = meta.category === 'monospace'
    for (const subset of subsets) {
      if (mono && subset !== 'latin' && subset !== 'latin-ext' && name !== 'JetBrainsMono') continue
      for (const weight of weights ?? ['wght']) {
        // Real italics only for the default family and the serif ones, where a slanted roman looks wrong.
        const styles = ['Inter', 'Merriweather', 'IBMPlexSerif'].includes(name) && (weight === 'wght' || weight === 400)
        for (const style of styles && subset.startsWith('latin') ? ['normal', 'italic'] : ['normal']) {
          const file = `${meta.id}-${subset}-${weight}-${style}.woff2`
          if (!existsSync(`${folder}/files/${file}`)) continue
          copyFileSync(`${folder}/files/${file}`, `${here}fonts/${file}`)
          const range = weight === 'wght' ? `${meta.variable.wght.min} ${meta.variable.wght.max}` : String(weight)
          faces.push({ file, subset, weight: range, style, ...(ranges[subset] ? { range: ranges[subset] } : {}) })
        }
      }
    }
    manifest[name] = { family: meta.family, category: meta.category, fallback: fallbackOf(metrics, metric, meta), faces }
    notices.push(`${meta.family} (${source} ${readJson(`${folder}/package.json`).version}): ${meta.license.attribution}\n${meta.license.type}, ${meta.license.url}`)
  }
  writeFileSync(`${here}fonts/fonts.json`, `${JSON.stringify(manifest, null, 1)}\n`)
  const licence = readFileSync(`${from}/@fontsource-variable/inter/LICENSE`, 'utf8')
  writeFileSync(`${here}fonts/LICENSES.txt`, `${notices.join('\n\n')}\n\n${licence}`)
}

// A system font stretched to the measures of the web font, so that nothing moves when the web font arrives.
function fallbackOf(metrics, name, meta) {
  const local = { 'sans-serif': 'arial', serif: 'timesNewRoman', monospace: 'courierNew' }[meta.category] ?? 'arial'
  const font = metrics[name]
  const base = metrics[local]
  if (!font || !base) return undefined
  const adjust = font.xWidthAvg / font.unitsPerEm / (base.xWidthAvg / base.unitsPerEm)
  const percent = (value) => `${(value * 100).toFixed(2)}%`
  const over = (value) => percent(value / (font.unitsPerEm * adjust))
  return {
    local: base.familyName,
    sizeAdjust: percent(adjust),
    ascent: over(font.ascent),
    descent: over(Math.abs(font.descent)),
    lineGap: over(font.lineGap),
  }
}

// Font Awesome names that the line icons call otherwise.
const lineNames = {
  'address-book': 'contact', 'address-card': 'contact', 'align-left': 'text-align-start', 'align-center': 'text-align-center', 'align-right': 'text-align-end', 'align-justify': 'text-align-justify',
  'angle-down': 'chevron-down', 'angle-left': 'chevron-left', 'angle-right': 'chevron-right', 'angle-up': 'chevron-up', 'angles-right': 'chevrons-right', 'angles-left': 'chevrons-left', 'angles-up': 'chevrons-up', 'angles-down': 'chevrons-down',
  'arrow-pointer': 'mouse-pointer-2', 'arrow-right-arrow-left': 'arrow-right-left', 'arrow-right-from-bracket': 'log-out', 'arrow-right-to-bracket': 'log-in', 'arrow-rotate-left': 'rotate-ccw', 'arrow-rotate-right': 'rotate-cw',
  'arrow-trend-up': 'trending-up', 'arrow-trend-down': 'trending-down', 'arrow-up-from-bracket': 'share', 'arrow-up-right-from-square': 'square-arrow-out-up-right', 'arrows-rotate': 'refresh-cw', 'arrows-split-up-and-left': 'split', 'arrows-up-down': 'move-vertical', 'arrows-left-right': 'move-horizontal',
  at: 'at-sign', 'bag-shopping': 'shopping-bag', bars: 'menu', 'bars-staggered': 'text-align-start', 'basket-shopping': 'shopping-basket', 'bell-slash': 'bell-off', bicycle: 'bike', 'bezier-curve': 'spline', bolt: 'zap', 'bolt-lightning': 'zap', 'book-atlas': 'book-open', 'box-archive': 'archive', 'box-open': 'package-open', 'boxes-stacked': 'boxes', browser: 'app-window', browsers: 'app-window', buildings: 'building', 'building-columns': 'landmark', bullhorn: 'megaphone', bullseye: 'target', bullseyearrow: 'target', 'cake-candles': 'cake', 'calendar-day': 'calendar-1', 'calendar-xmark': 'calendar-x', 'calendar-lines': 'calendar-days', 'cart-shopping': 'shopping-cart', 'cash-register': 'receipt', chalkboard: 'presentation', 'chalkboard-user': 'presentation', 'chart-simple': 'chart-no-axes-column', 'chart-mixed': 'chart-column', 'check-double': 'check-check', 'circle-exclamation': 'circle-alert', 'circle-half-stroke': 'contrast', 'circle-info': 'info', 'circle-nodes': 'waypoints', 'circle-question': 'circle-question-mark', 'circle-xmark': 'circle-x', city: 'building', 'clock-rotate-left': 'rotate-ccw-clock', clone: 'copy', 'closed-captioning': 'captions', 'cloud-arrow-down': 'cloud-download', 'cloud-arrow-up': 'cloud-upload', 'code-branch': 'git-branch', 'code-commit': 'git-commit-horizontal', 'code-compare': 'git-compare', 'code-fork': 'git-fork', 'code-merge': 'git-merge', 'code-pull-request': 'git-pull-request', 'code-simple': 'code', brackets: 'brackets', 'brackets-curly': 'braces', comment: 'message-circle', 'comment-dots': 'message-circle-more', comments: 'messages-square', 'comment-question': 'message-circle-question-mark', message: 'message-square', messages: 'messages-square', 'compass-drafting': 'drafting-compass', compress: 'minimize', expand: 'maximize', 'computer-mouse': 'mouse', crosshairs: 'crosshair', cube: 'box', cubes: 'boxes', desktop: 'monitor', display: 'monitor', 'diagram-project': 'workflow', 'diagram-next': 'workflow', 'diagram-predecessor': 'workflow', 'diagram-successor': 'workflow', 'diagram-subtask': 'workflow', 'draw-polygon': 'vector-polygon', 'earth-americas': 'earth', 'earth-europe': 'earth', 'earth-asia': 'earth', 'earth-africa': 'earth', ellipsis: 'ellipsis', envelope: 'mail', 'envelope-open': 'mail-open', equals: 'equal', ethernet: 'ethernet-port', exclamation: 'circle-alert', 'eye-slash': 'eye-off', 'eye-dropper': 'pipette', 'face-smile': 'face-slightly-smiling', 'face-frown': 'face-slightly-frowning', 'face-meh': 'face-neutral', 'face-laugh': 'face-grinning', 'file-lines': 'file-text', 'file-arrow-down': 'file-down', 'file-arrow-up': 'file-up', 'file-circle-check': 'file-check', 'file-circle-plus': 'file-plus', 'file-circle-question': 'file-question-mark', 'file-contract': 'file-text', 'file-csv': 'file-spreadsheet', 'file-excel': 'file-spreadsheet', 'file-export': 'file-output', 'file-import': 'file-input', 'file-invoice': 'receipt-text', 'file-pdf': 'file-text', 'file-shield': 'file-lock', 'file-signature': 'file-pen', 'file-word': 'file-text', 'file-zipper': 'file-archive', files: 'files', filter: 'funnel', fingerprint: 'fingerprint-pattern', fire: 'flame', flask: 'flask-conical', 'flask-vial': 'test-tubes', 'floppy-disk': 'save', font: 'type', 'gauge-high': 'gauge', gear: 'settings', gears: 'settings-2', grid: 'layout-grid', 'grid-2': 'layout-grid', 'hand-holding-dollar': 'hand-coins', 'hand-holding-heart': 'hand-heart', 'hand-wave': 'hand', hashtag: 'hash', 'heart-pulse': 'heart-pulse', 'hourglass-half': 'hourglass', 'house-chimney': 'house', home: 'house', 'id-badge': 'id-card-lanyard', image: 'image', 'image-portrait': 'square-user', industry: 'factory', language: 'languages', 'laptop-code': 'laptop', 'layer-group': 'layers', 'life-ring': 'life-buoy', 'link-slash': 'unlink', 'list-ol': 'list-ordered', 'list-ul': 'list', 'list-check': 'list-checks', 'list-tree': 'list-tree', 'location-arrow': 'navigation', 'location-crosshairs': 'locate-fixed', 'location-dot': 'map-pin', 'location-pin': 'map-pin', 'magnifying-glass': 'search', 'magnifying-glass-plus': 'zoom-in', 'magnifying-glass-minus': 'zoom-out', 'magnifying-glass-chart': 'search-check', 'map-location-dot': 'map-pinned', memory: 'memory-stick', microphone: 'mic', mobile: 'smartphone', 'mobile-screen': 'smartphone', 'mobile-screen-button': 'smartphone', 'money-bill': 'banknote', 'money-bill-wave': 'banknote', 'mug-hot': 'coffee', 'mug-saucer': 'coffee', music: 'eighth-notes', 'network-wired': 'network', 'note-sticky': 'sticky-note', 'object-group': 'group', 'paint-brush': 'paintbrush', paintbrush: 'paintbrush', 'paper-plane': 'send', paragraph: 'pilcrow', paste: 'clipboard', paw: 'paw-print', 'pen-nib': 'pen-tool', 'pen-ruler': 'pencil-ruler', 'pen-to-square': 'square-pen', 'people-group': 'users', person: 'user', 'person-walking': 'footprints', 'photo-film': 'images', print: 'printer', 'puzzle-piece': 'puzzle', qrcode: 'qr-code', question: 'circle-question-mark', 'quote-left': 'quote', 'quote-right': 'quote', random: 'shuffle', retweet: 'repeat-2', 'right-from-bracket': 'log-out', 'right-to-bracket': 'log-in', 'right-left': 'arrow-right-left', robot: 'bot', rotate: 'refresh-cw', 'rotate-left': 'rotate-ccw', 'rotate-right': 'rotate-cw', 'scale-balanced': 'scale', 'screwdriver-wrench': 'wrench', seedling: 'sprout', 'share-nodes': 'share-2', 'shield-halved': 'shield-half', 'shield-blank': 'shield', 'shield-keyhole': 'shield-keyhole', shop: 'store', shuffle: 'shuffle', sitemap: 'network', sliders: 'sliders-horizontal', 'sparkle': 'sparkle', sort: 'arrow-up-down', spinner: 'loader', 'square-code': 'square-code', 'square-terminal': 'square-terminal', stopwatch: 'timer', 'table-cells': 'table', 'table-columns': 'columns-2', 'table-list': 'table-properties', tachometer: 'gauge', 'thumbs-up': 'thumbs-up', thumbtack: 'pin', 'toggle-on': 'toggle-right', 'toggle-off': 'toggle-left', toolbox: 'toolbox', 'tower-broadcast': 'radio-tower', 'trash-can': 'trash', 'triangle-exclamation': 'triangle-alert', truck: 'truck', 'up-right-from-square': 'square-arrow-out-up-right', 'user-gear': 'user-cog', 'user-group': 'users', 'user-large': 'user', 'user-shield': 'shield-user', 'user-tie': 'user', 'user-xmark': 'user-x', 'user-pen': 'user-pen', 'users-gear': 'user-cog', 'vial': 'test-tube', video: 'video', 'volume-high': 'volume-2', 'volume-xmark': 'volume-x', 'wand-magic': 'wand', 'wand-magic-sparkles': 'wand-sparkles', 'water': 'waves-horizontal', 'window-maximize': 'app-window', 'window-restore': 'app-window', 'wine-glass': 'wine', xmark: 'x', 'handshake-simple': 'handshake', 'hand-pointer': 'pointer', 'plane-departure': 'plane-takeoff', 'plane-arrival': 'plane-landing', 'screencast': 'screen-share', objects: 'shapes', 'objects-column': 'layout-dashboard', 'sidebar': 'panel-left', 'sidebar-flip': 'panel-right', 'circle-bolt': 'zap', 'lightbulb-on': 'lightbulb', 'rectangle-list': 'layout-list', 'rectangle-terminal': 'square-terminal', 'arrow-progress': 'workflow', 'book-open-cover': 'book-open', books: 'library', 'book-sparkles': 'book-open', 'memo': 'file-text', 'memo-circle-check': 'file-check', 'memo-circle-info': 'file-text', 'octagon-exclamation': 'octagon-alert', 'hammer-brush': 'paint-roller', 'terminal': 'terminal', 'sync': 'refresh-cw', 'file-code': 'file-code',
}

function vendorIcons() {
  fresh('icons')
  const free = `${from}/@fortawesome/fontawesome-free`
  for (const style of ['solid', 'regular', 'brands']) {
    const icons = {}
    for (const file of readdirSync(`${free}/svgs/${style}`)) {
      const svg = readFileSync(`${free}/svgs/${style}/${file}`, 'utf8')
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)
      const paths = [...svg.matchAll(/ d="([^"]+)"/g)].map((match) => match[1])
      icons[file.slice(0, -4)] = [Number(width), Number(height), paths.join('')]
    }
    writeFileSync(`${here}icons/${style}.json`, `${JSON.stringify(icons)}\n`)
  }
  const nodes = readJson(`${from}/lucide-static/icon-nodes.json`)
  const line = {}
  const drawing = (parts) =>
    parts.map(([tag, attributes]) => `<${tag} ${Object.entries(attributes).map(([key, value]) => `${key}="${value}"`).join(' ')}/>`).join('')
  for (const [name, parts] of Object.entries(nodes)) line[name] = drawing(parts)
  for (const [name, other] of Object.entries(lineNames)) {
    if (!(other in nodes)) console.warn(`no line icon called ${other}`)
    else if (!(name in line) || name === 'sidebar') line[name] = `=${other}`
  }
  writeFileSync(`${here}icons/line.json`, `${JSON.stringify(line)}\n`)
  const notice = [
    `solid.json, regular.json, brands.json: Font Awesome Free ${readJson(`${free}/package.json`).version}, icons under CC BY 4.0.`,
    readFileSync(`${free}/LICENSE.txt`, 'utf8'),
    `line.json: Lucide ${readJson(`${from}/lucide-static/package.json`).version}.`,
    readFileSync(`${from}/lucide-static/LICENSE`, 'utf8'),
  ]
  writeFileSync(`${here}icons/LICENSES.txt`, notice.join('\n\n'))
}

function vendorMath() {
  fresh('math')
  const folder = `${root}node_modules/katex/dist`
  const css = readFileSync(`${folder}/katex.min.css`, 'utf8')
  // Every browser in use reads woff2; the older formats are left out.
  writeFileSync(`${here}math/math.css`, css.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, '').replaceAll('url(fonts/', 'url('))
  for (const file of readdirSync(`${folder}/fonts`)) if (file.endsWith('.woff2')) copyFileSync(`${folder}/fonts/${file}`, `${here}math/${file}`)
  copyFileSync(`${root}node_modules/katex/LICENSE`, `${here}math/LICENSE.txt`)
}

vendorFonts()
vendorIcons()
vendorMath()
