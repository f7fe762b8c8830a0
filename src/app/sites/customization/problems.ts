/** What would be refused, by the path of its field: told beside the field before it is sent. */
import { customizationTexts } from '../../texts/customization.ts'
import type { Customization } from './target.ts'

type LinkTarget = Customization['header']['links'][number]['to']
type Images = Customization['header']['logo']
type Colors = Customization['styling']['primaryColor']

export type Problems = ReadonlyMap<string, string>

const texts = customizationTexts.problems
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i.test(text)
const isLinkAddress = (text: string): boolean => /^(?:https?:\/\/\S+|mailto:\S+|\/(?![/\\])\S*|#\S*)$/i.test(text)
const isColor = (text: string): boolean => /^#(?:[0-9a-f]{3}){1,2}$/i.test(text)

/** `hadTitle` is whether a space has a title of its own: the API cannot take only that away. */
export function findProblems(given: Customization, { hadTitle }: { hadTitle: boolean }): Problems {
  const found = new Map<string, string>()
  const images = (at: string, pair: Images): void => {
    if (pair === undefined) return
    if (pair.light === '') found.set(`${at}.light`, texts.both)
    else if (!isAddress(pair.light)) found.set(`${at}.light`, texts.address)
    if (pair.dark !== '' && !isAddress(pair.dark)) found.set(`${at}.dark`, texts.address)
  }
  const colors = (at: string, pair: Colors | undefined): void => {
    for (const mode of ['light', 'dark'] as const)
      if (pair && !isColor(pair[mode])) found.set(`${at}.${mode}`, texts.color)
  }
  const address = (at: string, url: string | undefined): void => {
    if (url !== undefined && !isAddress(url)) found.set(at, texts.address)
  }
  const link = (at: string, { title, to }: { title: string; to: LinkTarget }): void => {
    if (title.trim() === '') found.set(`${at}.title`, texts.linkTitle)
    const problem = problemOf(to)
    if (problem) found.set(`${at}.to`, problem)
  }
  const { title, styling, header, footer, announcement, socialAccounts } = given
  if (title !== undefined && (title.trim().length < 2 || title.length > 128)) found.set('title', texts.title)
  if (title === undefined && hadTitle) found.set('title', texts.titleOfSpace)
  for (const name of ['primaryColor', 'infoColor', 'successColor', 'warningColor', 'dangerColor'] as const)
    colors(`styling.${name}`, styling[name])
  colors('styling.tint.color', styling.tint?.color)
  for (const name of ['font', 'headingFont', 'monospaceFont'] as const) fontProblems(found, name, styling[name])
  colors('header.backgroundColor', header.backgroundColor)
  colors('header.linkColor', header.linkColor)
  images('header.logo', header.logo)
  images('footer.logo', footer.logo)
  images('favicon.icon', given.favicon.icon)
  for (const [index, one] of header.links.entries()) {
    const at = `header.links.${index}`
    // A menu leads nowhere itself.
    link(at, one.to === null && one.links.length > 0 ? { ...one, to: { kind: 'url', url: '/' } } : one)
    for (const [inner, below] of one.links.entries()) link(`${at}.links.${inner}`, below)
  }
  for (const [index, group] of footer.groups.entries()) {
    const at = `footer.groups.${index}`
    if (group.title.trim() === '') found.set(`${at}.title`, texts.groupTitle)
    for (const [inner, below] of group.links.entries()) link(`${at}.links.${inner}`, below)
  }
  if (announcement && (announcement.message.trim().length < 2 || announcement.message.length > 128))
    found.set('announcement.message', texts.message)
  if (announcement?.link) link('announcement.link', announcement.link)
  for (const [index, { handle }] of socialAccounts.entries())
    if (!/^[^\s/?#\\]{1,128}$/.test(handle)) found.set(`socialAccounts.${index}.handle`, texts.handle)
  address('socialPreview.url', given.socialPreview.url)
  address('privacyPolicy.url', given.privacyPolicy.url)
  if (
    given.favicon.emoji !== undefined &&
    !/\p{Extended_Pictographic}|\p{Regional_Indicator}|^[\da-f-]+$/u.test(given.favicon.emoji)
  )
    found.set('favicon.emoji', texts.emoji)
  return found
}

function problemOf(to: LinkTarget): string | undefined {
  if (to === null) return texts.linkTarget
  if (to.kind === 'url') return isLinkAddress(to.url) ? undefined : texts.linkAddress
  if (to.kind === 'page' && to.page === '') return texts.page
  return to.kind === 'space' && to.space === '' ? texts.space : undefined
}

type Font = Customization['styling']['headingFont'] | Customization['styling']['monospaceFont']

function fontProblems(found: Map<string, string>, name: string, font: Font): void {
  if (font === null || font === undefined || typeof font === 'string') return
  const at = `styling.${name}`
  if (!/^[\w .-]{1,50}$/.test(font.fontFamily)) found.set(`${at}.fontFamily`, texts.fontName)
  if (font.fontFaces.length === 0) found.set(`${at}.fontFamily`, texts.fontFile)
  for (const [index, { weight, sources }] of font.fontFaces.entries()) {
    if (!Number.isInteger(weight) || weight < 1 || weight > 1000)
      found.set(`${at}.fontFaces.${index}.weight`, texts.weight)
    if (!isAddress(sources[0]?.url ?? '')) found.set(`${at}.fontFaces.${index}.sources.0.url`, texts.fontFile)
  }
}

/** Pictures for dark that are the same as for light need not be written twice, and texts have no blanks around them. */
export function tidied(given: Customization): Customization {
  const images = (pair: NonNullable<Images>): NonNullable<Images> =>
    pair.dark === '' ? { ...pair, dark: pair.light } : pair
  const { header, footer, favicon } = given
  return {
    ...given,
    header: header.logo ? { ...header, logo: images(header.logo) } : header,
    footer: footer.logo ? { ...footer, logo: images(footer.logo) } : footer,
    favicon: favicon.icon ? { ...favicon, icon: images(favicon.icon) } : favicon,
  }
}
