/**
 * HTML of word processors, spreadsheets and sites, brought to what it means: styles become marks, the lists of Word become lists,
 * white space is as it was shown, a line break is its character. Works on the detached document that the editor parsed.
 */

export function cleanHtml(root: HTMLElement): void {
  for (const element of [
    ...root.querySelectorAll(
      'script, style, meta, link, title, head, template, noscript, iframe, object, embed, svg, button, input:not([type="checkbox"])',
    ),
  ])
    element.remove()
  removeComments(root)
  // Google Docs wraps everything in a bold element that says it is not bold.
  for (const element of [...root.querySelectorAll('b, strong')])
    if (/font-weight:\s*(?:normal|400)/i.test(styleOf(element))) unwrap(element)
  codeOfEditors(root)
  onlineWordLists(root)
  wordLists(root)
  nestLists(root)
  taskLists(root)
  for (const element of [...root.querySelectorAll('span, font, a, p, li, td')]) marksOfStyle(element)
  for (const element of [...root.querySelectorAll('figure.callout, div.callout')]) rename(element, 'aside')
  for (const element of [...root.querySelectorAll('p.MsoTitle, p.title')]) rename(element, 'h1')
  for (const link of root.querySelectorAll('a[href]')) plainLink(link)
  for (const code of root.querySelectorAll('pre')) languageOf(code)
  for (const line of [...root.querySelectorAll('br')]) line.replaceWith(line.ownerDocument.createTextNode(lineBreak))
  // What was a block by its style only is a paragraph.
  for (const element of [...root.querySelectorAll('div, section, article')])
    if (!hasBlocks(element) && element.closest('li, td, th, p, pre') === null) {
      if (isBlank(element)) element.remove()
      else rename(element, 'p')
    }
  collapseBlanks(root)
}

/** Stands for a break while blanks are collapsed; a sign that nobody writes. */
const lineBreak = '\ue001'

const blocks =
  'p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, table, tr, td, th, tbody, thead, pre, blockquote, section, article, aside, figure, hr, details, summary, dl, dt, dd'
const isElement = (node: Node): node is Element => node.nodeType === 1
const isBlock = (node: Node): boolean => isElement(node) && node.matches(blocks)
const hasBlocks = (element: Element): boolean => element.querySelector(blocks) !== null
const isBlank = (element: Element): boolean =>
  (element.textContent ?? '').trim() === '' && element.querySelector('img') === null
const styleOf = (element: Element): string => element.getAttribute('style') ?? ''

function removeComments(node: Node): void {
  for (const child of [...node.childNodes]) {
    if (child.nodeType === 8) child.remove()
    else removeComments(child)
  }
}

function unwrap(element: Element): void {
  element.replaceWith(...element.childNodes)
}

function rename(element: Element, tag: string): Element {
  const other = element.ownerDocument.createElement(tag)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

const isMonospace = /font-family:[^;]*(?:monospace|courier|consolas|menlo|monaco|roboto mono)/i
const stylesOfMarks: readonly [RegExp, string][] = [
  [/font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration[^;]*line-through/i, 's'],
  [/vertical-align:\s*super/i, 'sup'],
  [/vertical-align:\s*sub\b/i, 'sub'],
  [isMonospace, 'code'],
]

function marksOfStyle(element: Element): void {
  const style = styleOf(element)
  if (style === '' || element.closest('pre, h1, h2, h3, h4, h5, h6') !== null) return
  for (const [pattern, tag] of stylesOfMarks) {
    if (!pattern.test(style) || (tag === 'code' && !element.matches('span, font'))) continue
    const mark = element.ownerDocument.createElement(tag)
    mark.append(...element.childNodes)
    element.append(mark)
  }
}

/** Word writes lists as paragraphs with a level; the bullet or number is text of its own. */
function wordLists(root: HTMLElement): void {
  let lists: { level: number; list: Element }[] = []
  for (const line of [...root.querySelectorAll('p')]) {
    const level = /mso-list:\s*l\d+\s+level(\d+)/i.exec(styleOf(line))?.[1]
    if (level === undefined) {
      lists = []
      continue
    }
    const depth = Number(level)
    const bullet = [...line.querySelectorAll('span')].find((span) => /mso-list:\s*ignore/i.test(styleOf(span)))
    const isOrdered = /^\s*(?:\d+|[a-z]{1,3})[.)]/i.test(bullet?.textContent ?? '')
    bullet?.remove()
    // Only what follows the line directly goes on with the list.
    const last = lists.at(-1)
    if (last !== undefined && !isNext(last.list, line)) lists = []
    while ((lists.at(-1)?.level ?? 0) > depth) lists.pop()
    let current = lists.at(-1)
    if (current === undefined || current.level < depth) {
      const list = root.ownerDocument.createElement(isOrdered ? 'ol' : 'ul')
      const parent = current?.list.lastElementChild
      if (parent) parent.append(list)
      else line.before(list)
      current = { level: depth, list }
      lists.push(current)
    }
    const item = root.ownerDocument.createElement('li')
    item.append(...line.childNodes)
    current.list.append(item)
    line.remove()
  }
}

/** Word in a browser makes a list of every item, and says beside it how deep it is: brought to what the other Word writes. */
function onlineWordLists(root: HTMLElement): void {
  for (const box of [...root.querySelectorAll('.ListContainerWrapper')]) {
    const lines = [...box.querySelectorAll('li[data-aria-level]')].map((item) => {
      const line = root.ownerDocument.createElement('p')
      line.setAttribute('style', `mso-list:l0 level${Number(item.getAttribute('data-aria-level')) || 1}`)
      const sign = root.ownerDocument.createElement('span')
      sign.setAttribute('style', 'mso-list:Ignore')
      sign.textContent = item.parentElement?.matches('ol') ? '1.' : '·'
      line.append(
        sign,
        ...[...item.childNodes].flatMap((part) =>
          isElement(part) && part.matches('p') ? [...part.childNodes] : [part],
        ),
      )
      return line
    })
    if (lines.length > 0) box.replaceWith(...lines)
  }
}

function isNext(list: Element, line: Element): boolean {
  let top: Element = list
  for (let parent = list.parentElement; parent?.matches('li, ul, ol'); parent = parent.parentElement) top = parent
  let next = top.nextSibling
  while (next !== null && next.nodeType === 3 && (next.textContent ?? '').trim() === '') next = next.nextSibling
  return next === line
}

/** Google Docs and others put the list within an item behind the item. */
function nestLists(root: HTMLElement): void {
  for (const list of [...root.querySelectorAll('ul > ul, ul > ol, ol > ul, ol > ol')]) {
    const item = list.previousElementSibling
    if (item?.matches('li')) item.append(list)
  }
}

/** Code of an editor that says of no more than its looks that it is code: a line is an element. */
function codeOfEditors(root: HTMLElement): void {
  for (const box of [...root.querySelectorAll('div')]) {
    const style = styleOf(box)
    if (!/white-space:\s*pre\b/i.test(style) || !isMonospace.test(style) || box.closest('pre') !== null) continue
    const lines = [...box.children].map((line) => line.textContent ?? '')
    const code = root.ownerDocument.createElement('pre')
    code.textContent = box.querySelector('div') === null ? (box.textContent ?? '') : lines.join('\n')
    box.replaceWith(code)
  }
}

/** Boxes at the beginning of items, as GitHub, Notion and others write them. */
function taskLists(root: HTMLElement): void {
  for (const item of root.querySelectorAll('li')) {
    const box = item.querySelector(
      ':scope > input[type="checkbox"], :scope > p > input[type="checkbox"], :scope > label > input[type="checkbox"], :scope > .checkbox, :scope > img[aria-roledescription="checkbox"]',
    )
    const written = box === null ? boxInWords(item) : undefined
    if (box === null && written === undefined) continue
    const isDone =
      written ??
      (box?.hasAttribute('checked') || box?.matches('.checkbox-on') || item.getAttribute('aria-checked') === 'true')
    box?.remove()
    item.setAttribute('data-checked', String(isDone))
    item.parentElement?.setAttribute('data-tasks', '')
  }
  for (const box of [...root.querySelectorAll('input')]) box.remove()
}

/** A box that is written as words, which are taken away; whether it is ticked. */
function boxInWords(item: Element): boolean | undefined {
  let first: Node | null = item.firstChild
  while (first !== null && !(isText(first) && first.data.trim() !== '')) first = first.firstChild ?? first.nextSibling
  const match = first === null || !isText(first) ? null : /^\s*\[([ xX])\]\s+/.exec(first.data)
  if (match === null || first === null || !isText(first)) return undefined
  first.data = first.data.slice(match[0].length)
  return match[1] !== ' '
}

function plainLink(link: Element): void {
  const href = link.getAttribute('href') ?? ''
  if (!/^https:\/\/www\.google\.com\/url\?/.test(href)) return
  try {
    const target = new URL(href).searchParams.get('q')
    if (target !== null && /^https?:/.test(target)) link.setAttribute('href', target)
  } catch {
    // An address that cannot be read stays as it is.
  }
}

function languageOf(code: Element): void {
  const names = [code, code.querySelector('code'), code.parentElement].map(
    (element) => element?.getAttribute('class') ?? '',
  )
  const found = names
    .map((name) => /(?:language-|lang-|highlight-source-|brush:\s*)([\w+#.-]+)/.exec(name)?.[1])
    .find((name) => name !== undefined)
  if (found !== undefined) code.setAttribute('data-language', found)
}

/** As a browser shows it: runs of blanks are one, none at the beginning and end of a block, none between blocks. */
function collapseBlanks(root: HTMLElement): void {
  let before: Text | undefined
  const visit = (node: Node, inCode: boolean): void => {
    for (const child of [...node.childNodes]) {
      if (isText(child)) {
        if (inCode) continue
        child.data = child.data.replace(/[\t\n\f\r ]+/g, ' ').replaceAll('\u00a0', ' ')
        if (before === undefined || /[\s\ue001]$/.test(before.data)) child.data = child.data.replace(/^ +/, '')
        if (child.data === '') child.remove()
        else before = child
        continue
      }
      const isBlocky = isBlock(child)
      if (isBlocky) trimEnd()
      visit(child, inCode || child.nodeName === 'PRE')
      if (isBlocky) trimEnd()
    }
  }
  const trimEnd = (): void => {
    if (before !== undefined) {
      before.data = before.data.replace(/[\s\ue001]+$/, '')
      if (before.data === '') before.remove()
    }
    before = undefined
  }
  visit(root, false)
  trimEnd()
  showBreaks(root)
}

function showBreaks(node: Node): void {
  for (const child of node.childNodes) {
    if (isText(child)) child.data = child.data.replaceAll(lineBreak, '\n')
    else showBreaks(child)
  }
}

const isText = (node: Node): node is Text => node.nodeType === 3
