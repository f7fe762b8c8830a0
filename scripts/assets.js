// Writes assets/site: fonts, icons, formula and diagram files of published sites, taken from their packages. Runs after `npm install`
// and does nothing while the packages are the same. Which fonts, and how far a system font is stretched to stand in for each
// (so that nothing moves when the web font arrives), is said in assets/fonts.json; Font Awesome names that the line icons
// call otherwise in assets/line-icons.json.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = `${root}node_modules`
const target = `${root}assets/site`
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const versionOf = (name) => readJson(`${packages}/${name}/package.json`).version
const families = readJson(`${root}scripts/assets/fonts.json`)
const lineNames = readJson(`${root}scripts/assets/line-icons.json`)
const subsets = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese']

/** Fonts of books: the typesetter reads TTF only. */
const bookFonts = {
  inter: [
    'Inter_400Regular',
    'Inter_400Regular_Italic',
    'Inter_500Medium',
    'Inter_600SemiBold',
    'Inter_700Bold',
    'Inter_700Bold_Italic',
  ],
  'jetbrains-mono': ['JetBrainsMono_400Regular', 'JetBrainsMono_700Bold'],
  'noto-sans-arabic': ['NotoSansArabic_400Regular', 'NotoSansArabic_700Bold'],
  'noto-sans-hebrew': ['NotoSansHebrew_400Regular', 'NotoSansHebrew_700Bold'],
  'noto-emoji': ['NotoEmoji_400Regular'],
}

const sources = [
  ...Object.keys(bookFonts).map((name) => `@expo-google-fonts/${name}`),
  ...Object.values(families).map((family) => family.package),
  '@fortawesome/fontawesome-free',
  'lucide-static',
  'katex',
  'mermaid',
]
// A package without what only building needs carries the files already.
if (sources.every((name) => existsSync(`${packages}/${name}/package.json`))) {
  const made = [
    ...sources.map((name) => `${name} ${versionOf(name)}`),
    ...['assets.js', 'assets/fonts.json', 'assets/line-icons.json'].map((file) =>
      readFileSync(`${root}scripts/${file}`, 'utf8'),
    ),
  ].join('\n')
  const stamp = `${target}/made-from.txt`
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== made) {
    writeFonts()
    writeIcons()
    writeMath()
    writeDiagrams()
    writeBookFonts()
    writeFileSync(stamp, made)
  }
}

function empty(name) {
  rmSync(`${target}/${name}`, { recursive: true, force: true })
  mkdirSync(`${target}/${name}`, { recursive: true })
}

function writeFonts() {
  empty('fonts')
  const manifest = {}
  const notices = []
  for (const [name, { package: source, weights, fallback }] of Object.entries(families)) {
    const folder = `${packages}/${source}`
    const meta = readJson(`${folder}/metadata.json`)
    manifest[name] = {
      family: meta.family,
      category: meta.category,
      fallback,
      faces: facesOf(name, folder, meta, weights),
    }
    notices.push(
      `${meta.family} (${source} ${versionOf(source)}): ${meta.license.attribution}\n${meta.license.type}, ${meta.license.url}`,
    )
  }
  writeFileSync(`${target}/fonts/fonts.json`, `${JSON.stringify(manifest, null, 1)}\n`)
  const licence = readFileSync(`${packages}/@fontsource-variable/inter/LICENSE`, 'utf8')
  writeFileSync(`${target}/fonts/LICENSES.txt`, `${notices.join('\n\n')}\n\n${licence}`)
}

function facesOf(name, folder, meta, weights = ['wght']) {
  const ranges = readJson(`${folder}/unicode.json`)
  const faces = []
  for (const subset of subsets) {
    if (meta.category === 'monospace' && !subset.startsWith('latin') && name !== 'JetBrainsMono') continue
    for (const weight of weights) {
      // Real italics only for the default family and the serif ones, where a slanted roman looks wrong.
      const isItalic =
        ['Inter', 'Merriweather', 'IBMPlexSerif'].includes(name) &&
        (weight === 'wght' || weight === 400) &&
        subset.startsWith('latin')
      for (const style of isItalic ? ['normal', 'italic'] : ['normal']) {
        const file = `${meta.id}-${subset}-${weight}-${style}.woff2`
        if (!existsSync(`${folder}/files/${file}`)) continue
        copyFileSync(`${folder}/files/${file}`, `${target}/fonts/${file}`)
        const range = weight === 'wght' ? `${meta.variable.wght.min} ${meta.variable.wght.max}` : String(weight)
        faces.push({ file, subset, weight: range, style, ...(ranges[subset] ? { range: ranges[subset] } : {}) })
      }
    }
  }
  return faces
}

function writeIcons() {
  empty('icons')
  const free = `${packages}/@fortawesome/fontawesome-free`
  for (const style of ['solid', 'regular', 'brands']) {
    const icons = {}
    for (const file of readdirSync(`${free}/svgs/${style}`)) {
      const svg = readFileSync(`${free}/svgs/${style}/${file}`, 'utf8')
      const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)
      const paths = [...svg.matchAll(/ d="([^"]+)"/g)].map((match) => match[1])
      icons[file.slice(0, -4)] = [Number(width), Number(height), paths.join('')]
    }
    writeFileSync(`${target}/icons/${style}.json`, `${JSON.stringify(icons)}\n`)
  }
  const nodes = readJson(`${packages}/lucide-static/icon-nodes.json`)
  const line = {}
  const drawing = (parts) =>
    parts
      .map(
        ([tag, attributes]) =>
          `<${tag} ${Object.entries(attributes)
            .map(([key, value]) => `${key}="${value}"`)
            .join(' ')}/>`,
      )
      .join('')
  for (const [name, parts] of Object.entries(nodes)) line[name] = drawing(parts)
  for (const [name, other] of Object.entries(lineNames)) {
    if (!(other in nodes)) console.warn(`no line icon called ${other}`)
    else if (!(name in line) || name === 'sidebar') line[name] = `=${other}`
  }
  writeFileSync(`${target}/icons/line.json`, `${JSON.stringify(line)}\n`)
  const notice = [
    `solid.json, regular.json, brands.json: Font Awesome Free ${versionOf('@fortawesome/fontawesome-free')}, icons under CC BY 4.0.`,
    readFileSync(`${free}/LICENSE.txt`, 'utf8'),
    `line.json: Lucide ${versionOf('lucide-static')}.`,
    readFileSync(`${packages}/lucide-static/LICENSE`, 'utf8'),
  ]
  writeFileSync(`${target}/icons/LICENSES.txt`, notice.join('\n\n'))
}

function writeMath() {
  empty('math')
  const folder = `${packages}/katex/dist`
  const css = readFileSync(`${folder}/katex.min.css`, 'utf8')
  // Every browser in use reads woff2; the older formats are left out.
  writeFileSync(
    `${target}/math/math.css`,
    css.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, '').replaceAll('url(fonts/', 'url('),
  )
  for (const file of readdirSync(`${folder}/fonts`))
    if (file.endsWith('.woff2')) copyFileSync(`${folder}/fonts/${file}`, `${target}/math/${file}`)
  copyFileSync(`${packages}/katex/LICENSE`, `${target}/math/LICENSE.txt`)
}

function writeDiagrams() {
  empty('diagrams')
  copyFileSync(`${packages}/mermaid/dist/mermaid.min.js`, `${target}/diagrams/mermaid.js`)
  copyFileSync(`${packages}/mermaid/LICENSE`, `${target}/diagrams/LICENSE.txt`)
}

function writeBookFonts() {
  const folder = `${root}assets/book/fonts`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, files] of Object.entries(bookFonts)) {
    const from = `${packages}/@expo-google-fonts/${name}`
    for (const file of files)
      copyFileSync(`${from}/${file.slice(file.indexOf('_') + 1)}/${file}.ttf`, `${folder}/${file}.ttf`)
    copyFileSync(`${from}/LICENSE_FONT`, `${folder}/${name}.LICENSE.txt`)
  }
}
