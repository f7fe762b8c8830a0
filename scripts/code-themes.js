/** Writes src/theme/code-themes.ts: what each of Shiki's themes makes of the kinds of tokens that the site tells apart. */
import { readFileSync, writeFileSync } from 'node:fs'
import { bundledThemes } from 'shiki/themes'

const kinds = {
  comment: ['comment'],
  keyword: ['keyword.control', 'keyword', 'storage.type'],
  string: ['string.quoted.double', 'string'],
  number: ['constant.numeric', 'constant.language', 'constant'],
  function: ['entity.name.function', 'support.function'],
  type: ['entity.name.type', 'support.type', 'entity.name.class'],
  tag: ['entity.name.tag', 'support.type.property-name'],
  attribute: ['entity.other.attribute-name', 'variable.parameter'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
}

/** The colour of the rule whose selector covers the scope most closely. */
function colorOf(rules, scope) {
  let best = { length: -1, color: undefined }
  for (const { scope: given, settings } of rules) {
    const selectors = (Array.isArray(given) ? given : (given ?? '').split(',')).map((one) => one.trim())
    for (const selector of selectors)
      if ((selector === scope || scope.startsWith(`${selector}.`)) && selector !== '' && settings?.foreground)
        if (selector.length >= best.length) best = { length: selector.length, color: settings.foreground }
  }
  return best.color
}

const opaque = (color) =>
  (/^#[0-9a-f]{6}/i.exec(color)?.[0] ?? (/^#[0-9a-f]{3}$/i.test(color) ? color : '#888888')).toLowerCase()

const rows = []
const names = readFileSync(new URL('../src/core/customization/code-themes.ts', import.meta.url), 'utf8')
for (const name of Object.keys(bundledThemes).sort()) {
  if (!names.includes(`'${name}'`)) continue
  const theme = (await bundledThemes[name]()).default
  const rules = theme.tokenColors ?? theme.settings ?? []
  const global = rules.find(({ scope }) => scope === undefined)?.settings ?? {}
  const ground = opaque(
    theme.colors?.['editor.background'] ?? global.background ?? (theme.type === 'light' ? '#ffffff' : '#000000'),
  )
  const text = opaque(
    theme.colors?.['editor.foreground'] ?? global.foreground ?? (theme.type === 'light' ? '#000000' : '#ffffff'),
  )
  const colors = Object.values(kinds).map((scopes) => {
    for (const scope of scopes) {
      const color = colorOf(rules, scope)
      if (color) return opaque(color)
    }
    return text
  })
  rows.push(`  '${name}': '${[ground, text, ...colors].join(' ')}',`)
}

writeFileSync(
  new URL('../src/theme/code-themes.ts', import.meta.url),
  `/**
 * What the themes of Shiki make of the kinds of tokens that the site tells apart, in the order of \`codeColors\`. Written by
 * \`node scripts/code-themes.js\` from the themes of the pinned version.
 */
import type { CodeTheme } from '../core/customization/code-themes.ts'

export const codeColors = ['ground', 'text', ${Object.keys(kinds)
    .map((kind) => `'${kind}'`)
    .join(', ')}] as const

type Shipped = Exclude<CodeTheme, \`default-\${string}\` | \`monochrome-\${string}\`>

// biome-ignore format: a table reads best as one.
export const themeColors: Readonly<Record<Shipped, string>> = {
NAMES
}
`.replace('NAMES', rows.join('\n')),
)
console.log(`src/theme/code-themes.ts: ${rows.length} themes.`)
