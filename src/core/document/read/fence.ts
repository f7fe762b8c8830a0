/**
 * Code from a fence: its data from what stands behind the ticks, and the lines that are marked there or by comments in the
 * code itself (`// highlight-next-line`, `// [!code ++]`), which are no part of it.
 */
import { readCodeNotation } from '../syntax/code-notation.ts'
import { readFenceInfo } from '../syntax/fence-info.ts'
import { codeLine, parentBlock } from '../tree/make.ts'
import type { Code, CodeLine } from '../tree/nodes.ts'
import { codeData } from './code.ts'

export function readFence(content: string, info: string): Code {
  const { syntax, options, words, highlighted, added, removed } = readFenceInfo(info)
  const option = (name: string): string | undefined =>
    options.get(aliases[name]?.find((alias) => options.has(alias)) ?? name)
  const data = codeData((name) => (name === 'lineNumbers' ? numbered(option(name)) : option(name)))
  if (data.title === undefined && isFileName.test(words)) data.title = words
  if (options.get('wrap') === 'true' && data.overflow === undefined) data.overflow = 'wrap'
  const diffed = syntax === 'diff' ? options.get('lang') : undefined
  const language = diffed ?? syntax
  const shown = readLines(content.replace(/\n$/, '').split('\n'), diffed !== undefined)
  // A name of lines counts those that are shown.
  const lines = shown.map(({ text, highlighted: own, change }, at) => {
    const named = added.has(at + 1) ? 'added' : removed.has(at + 1) ? 'removed' : change
    const lineData: CodeLine['data'] = {
      ...(own || highlighted.has(at + 1) ? { highlighted: true } : {}),
      ...(named === undefined ? {} : { change: named }),
    }
    return codeLine(text, lineData)
  })
  return parentBlock('code', { ...(language === '' ? {} : { syntax: language }), ...data }, lines)
}

/** What a set of code blocks calls this one. */
export function fenceTitle(info: string, fallback: string): string {
  const { syntax, options, words } = readFenceInfo(info)
  return options.get('title') ?? (words || syntax || fallback)
}

const aliases: Readonly<Record<string, readonly string[]>> = {
  lineNumbers: ['lineNumbers', 'showLineNumbers', 'linenums', 'lines', 'numberLines', 'line_numbers'],
  title: ['title', 'filename', 'file', 'name'],
}

const isFileName = /^[\w@./[\]()-]*[\w)\]]\.[A-Za-z]\w{0,9}$/

/** `showLineNumbers`, `linenums="1"`, `lineNumbers="true"`. */
const numbered = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : String(value !== 'false' && value !== '0')

type ShownLine = { text: string; highlighted: boolean; change: CodeLine['data']['change'] }

function readLines(lines: readonly string[], isDiff: boolean): ShownLine[] {
  const shown: ShownLine[] = []
  let isInside = false
  let isNext = false
  for (const line of lines) {
    const found = readCodeNotation(line)
    if (found?.notation === 'next-line') isNext = true
    else if (found?.notation === 'start') isInside = true
    else if (found?.notation === 'end') isInside = false
    else {
      const named = found?.notation === 'added' || found?.notation === 'removed' ? found.notation : undefined
      const text = found?.code ?? (isDiff ? line.replace(/^[-+ ]/, '') : line)
      const highlighted = isInside || isNext || found?.notation === 'highlighted'
      shown.push({ text, highlighted, change: named ?? (isDiff ? changeOf(line) : undefined) })
      isNext = false
    }
  }
  const filled = shown.filter(({ text }) => text !== '')
  // A space between the sign and the code belongs to neither.
  if (isDiff && filled.every(({ text }) => text.startsWith(' ')))
    for (const line of filled) line.text = line.text.slice(1)
  return shown.length === 0 ? [{ text: '', highlighted: false, change: undefined }] : shown
}

const changeOf = (line: string): CodeLine['data']['change'] =>
  line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined
