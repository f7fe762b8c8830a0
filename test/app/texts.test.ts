/** The words of the interface: every language has all of them, in words of its own, and nothing is written past them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hiddenFields } from '../../src/app/editor/menus/panel-fields.ts'
import * as german from '../../src/app/texts/de/index.ts'
import { accountEn } from '../../src/app/texts/en/account.ts'
import { auditEn } from '../../src/app/texts/en/audit.ts'
import { changesEn } from '../../src/app/texts/en/changes.ts'
import { customizationEn } from '../../src/app/texts/en/customization.ts'
import { editorEn } from '../../src/app/texts/en/editor.ts'
import { gitEn } from '../../src/app/texts/en/git.ts'
import { importsEn } from '../../src/app/texts/en/imports.ts'
import { en } from '../../src/app/texts/en/index.ts'
import { insightsEn } from '../../src/app/texts/en/insights.ts'
import { organizationEn } from '../../src/app/texts/en/organization.ts'
import { pdfEn } from '../../src/app/texts/en/pdf.ts'
import { redirectsEn } from '../../src/app/texts/en/redirects.ts'
import { siteEn } from '../../src/app/texts/en/site.ts'
import { addressEn } from '../../src/app/texts/en/site-address.ts'
import { structureEn } from '../../src/app/texts/en/site-structure.ts'
import { specsEn } from '../../src/app/texts/en/specs.ts'
import { translationsEn } from '../../src/app/texts/en/translations.ts'
import { visitorsEn } from '../../src/app/texts/en/visitors.ts'
import { blockRows, inlineRows } from '../../src/core/document/tree/schema.ts'
import { eventActions } from '../../src/domain/events/note.ts'

/** Each text by its path; those that count or name something are spelt out with numbers and a name. */
function spellOut(texts: object, above = ''): Map<string, string> {
  const all = new Map<string, string>()
  for (const [name, value] of Object.entries(texts)) {
    const path = above === '' ? name : `${above}.${name}`
    if (typeof value === 'string') all.set(path, value)
    else if (typeof value === 'function')
      for (const given of [1, 2]) all.set(`${path}(${given})`, value(given, given, 5))
    else for (const [key, text] of spellOut(value, path)) all.set(key, text)
  }
  return all
}

const products = ['Website', 'Word', 'HTML', 'Confluence', 'Notion', 'Google Docs', 'PDF']
/** Words that are the same in both, names among them. */
const same = new Set([
  ...['Name', 'Emoji', 'Text', 'Code', 'Prompt', 'Integration', 'Link', 'Markdown', 'SAML', 'OpenID Connect'],
  ...products,
])

test.each([
  ['the app', en, german.texts],
  ['the editor', editorEn, german.editor],
  ['change requests', changesEn, german.changes],
  ['the profile', accountEn, german.account],
  ['the screens of a site', siteEn, german.site],
  ['the screen of a book', pdfEn, german.pdf],
  ['the screen of a repository', gitEn, german.git],
  ['the screens of imports', importsEn, german.imports],
  ['the screens of specs', specsEn, german.specs],
  ['the screens of translations', translationsEn, german.translations],
  ['redirects of a site', redirectsEn, german.redirects],
  ['the addresses of a site', addressEn, german.siteAddress],
  ['the visitors of a site', visitorsEn, german.visitors],
  ['the structure of a site', structureEn, german.siteStructure],
  ['how a site looks', customizationEn, german.customization],
  ['what readers of a site do', insightsEn, german.insights],
  ['the audit log', auditEn, german.audit],
  ['the screens of an organization', organizationEn, german.organization],
])('%s speaks German throughout', (_, english, translated) => {
  const first = spellOut(english)
  const second = spellOut(translated)
  expect([...second.keys()]).toEqual([...first.keys()])
  const untranslated = [...first].filter(([path, words]) => {
    const other = second.get(path) ?? ''
    return other.trim() === '' || (other === words && /\p{L}{3}/u.test(words) && !same.has(words))
  })
  expect(untranslated).toEqual([])
})

test('everything that is noted has words in the audit log', () => {
  expect(Object.keys(auditEn.actions)).toEqual([...eventActions])
})

test('components take their words from the texts', () => {
  const folder = new URL('../../src/app', import.meta.url).pathname
  const found: string[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.tsx')) continue
    const source = readFileSync(join(folder, name), 'utf8')
    // Words between tags, and labels that are spelt out.
    for (const [words] of source.matchAll(
      />[ \t]*\p{L}[\p{L} ,.!?]{3,}<\/|(?:aria-label|placeholder|title)="(?!https:)\p{L}[^"]*"/gu,
    ))
      found.push(`${name}: ${words}`)
  }
  expect(found).toEqual([])
})

test('every setting of a block has a label', () => {
  const labels: Readonly<Record<string, string>> = editorEn.panel.fields
  const unnamed = Object.entries({ ...blockRows, ...inlineRows }).flatMap(([kind, { data }]) =>
    Object.keys(data ?? {})
      .filter((name) => kind !== 'table' && !hiddenFields.has(name) && labels[name] === undefined)
      .map((name) => `${kind}.${name}`),
  )
  expect(unnamed).toEqual([])
})
