/**
 * Code that a fence cannot hold is written as `<pre><code>`: lines in `<strong>` are highlighted, those in `<ins>` and
 * `<del>` were added and removed, and annotations and expressions are elements among the words.
 */
import { kebab, noteTarget } from '../syntax/attributes.ts'
import { type Attributes, decodeHtml, isBlank } from '../syntax/html-scan.ts'
import { annotation, codeLine, parentBlock, text, voidInline } from '../tree/make.ts'
import type { Code, CodeLine } from '../tree/nodes.ts'
import { plainTexts } from '../tree/normalise-inline.ts'
import type { ReadContext } from './context.ts'
import { rawText } from './elements.ts'
import { takeNote } from './notes.ts'
import type { Raw } from './raw.ts'

export function readPre(attributes: Attributes, children: readonly Raw[], context: ReadContext): Code {
  const filled = children.filter((raw) => !(raw.kind === 'html-text' && isBlank(raw.source)))
  const [only] = filled
  const inner = filled.length === 1 && only?.kind === 'element' && only.element.name === 'code' ? only : undefined
  const lines = new Lines(context)
  lines.read(inner?.children ?? children, {})
  const syntax =
    classAfter(attributes.get('class'), 'language-') ??
    classAfter(inner?.element.attributes.get('class'), 'lang-') ??
    classAfter(inner?.element.attributes.get('class'), 'language-')
  return parentBlock(
    'code',
    { ...(syntax === undefined ? {} : { syntax }), ...codeData((name) => attributes.get(`data-${kebab(name)}`)) },
    lines.finish(),
  )
}

/** What a code block says about itself, wherever it says it. */
export function codeData(get: (name: string) => string | undefined): Code['data'] {
  const data: Code['data'] = {}
  const title = get('title')
  const overflow = get('overflow')
  const count = Number(get('collapsedLineCount'))
  if (title) data.title = title
  if (overflow === 'wrap' || overflow === 'scroll') data.overflow = overflow
  if (isOn(get('lineNumbers'))) data.lineNumbers = true
  if (isOn(get('fullWidth'))) data.fullWidth = true
  if (isOn(get('expandable'))) data.expandable = true
  if (Number.isInteger(count) && count >= 1 && count <= 1_000_000) data.collapsedLineCount = count
  return data
}

/** `name="true"`, or in HTML the name alone. */
const isOn = (value: string | undefined): boolean => value === 'true' || value === ''

function classAfter(classes: string | undefined, prefix: string): string | undefined {
  const name = classes?.startsWith(prefix) ? classes.slice(prefix.length) : undefined
  return name === '' ? undefined : name
}

type LineData = CodeLine['data']

class Lines {
  #lines: { nodes: CodeLine['nodes']; data: LineData }[] = [{ nodes: [], data: {} }]
  #context: ReadContext

  constructor(context: ReadContext) {
    this.#context = context
  }

  /** `data` is that of the elements around, which every line that is touched here has. */
  read(raws: readonly Raw[], data: LineData): void {
    for (const raw of raws) {
      if (raw.kind === 'html-text') this.#text(decodeHtml(raw.source), data)
      else if (raw.kind === 'literal') this.#text(raw.text, data)
      else if (raw.kind === 'element') this.#element(raw, data)
    }
  }

  finish(): CodeLine[] {
    const last = this.#lines.at(-1)
    if (this.#lines.length > 1 && last?.nodes.length === 0 && Object.keys(last.data).length === 0) this.#lines.pop()
    return this.#lines.map(({ nodes, data }) => codeLine(plainTexts(nodes), data))
  }

  #element({ element, children }: Extract<Raw, { kind: 'element' }>, data: LineData) {
    const { name, attributes } = element
    const href = attributes.get('href') ?? ''
    if (name === 'code' && attributes.get('class') === 'expression')
      return this.#push(voidInline('expression', { expression: rawText(children) }), data)
    if (name === 'br') return this.#text('\n', data)
    const body =
      attributes.has('data-footnote-ref') && href.startsWith(noteTarget(''))
        ? takeNote(href.slice(noteTarget('').length), this.#context)
        : undefined
    if (body !== undefined) {
      const words = rawText(children)
      return this.#push(annotation(words === '' ? [] : [text(words)], body), data)
    }
    const own = Object.hasOwn(dataOfElements, name) ? dataOfElements[name] : undefined
    this.read(children, own === undefined ? data : { ...data, ...own })
  }

  #push(node: CodeLine['nodes'][number], data: LineData): void {
    const line = this.#lines.at(-1)
    line?.nodes.push(node)
    this.#setData(data)
  }

  #text(content: string, data: LineData): void {
    content.split('\n').forEach((part, index) => {
      if (index > 0) {
        this.#setData(data)
        this.#lines.push({ nodes: [], data: {} })
      }
      if (part !== '') this.#push(text(part), data)
    })
  }

  #setData(data: LineData): void {
    const line = this.#lines.at(-1)
    if (line !== undefined) line.data = { ...line.data, ...data }
  }
}

const dataOfElements: Readonly<Record<string, LineData>> = {
  strong: { highlighted: true },
  ins: { change: 'added' },
  del: { change: 'removed' },
}
