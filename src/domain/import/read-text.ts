/** The text of a file, whatever it is written in, and what is wrong with it. */

import { lengthOfFrontMatter } from '../../core/document/syntax/front-matter.ts'
import { fail } from '../../core/errors.ts'
import { withoutAttributeLists } from '../../core/import/generators/attribute-lists.ts'
import { type FindInHugo, hideDraft, tomlOf } from '../../core/import/generators/hugo.ts'
import { withoutShortcodes } from '../../core/import/generators/shortcodes.ts'
import { withoutModules } from '../../core/import/text-problems.ts'
import type { ImportedFile, ImportProblem } from '../../core/import/tree.ts'
import { decodeWindows1252 } from '../../platform/windows-1252.ts'
import type { Threads } from '../../threads/supervisor.ts'
import { maxPageBytes } from '../content/markdown/parsed.ts'
import { blobName, readAll } from './store-file.ts'
import { workOnText } from './text-work.ts'

export interface ReadText {
  /** Absent when it is no text. */
  text: string | undefined
  isTooLarge?: boolean
  oid: string
  problems: ImportProblem[]
}

/** How much a table of contents or a settings file may hold. */
const maxTextBytes = 32 * 1024 * 1024

export async function readText(
  file: ImportedFile & { isMdx?: boolean },
  {
    threads,
    isSettings = false,
    findInHugo,
    isMkDocs = false,
  }:
    | { threads: Threads; isSettings?: false; findInHugo?: FindInHugo | undefined; isMkDocs?: boolean }
    | { threads?: undefined; isSettings: true; findInHugo?: undefined; isMkDocs?: undefined },
): Promise<ReadText> {
  const { path } = file
  const limit = isSettings ? maxTextBytes : maxPageBytes
  if (file.size > limit) {
    const message = `is larger than ${limit / 1024 / 1024} MiB`
    if (isSettings) throw fail('too_large', `${path} ${message}.`)
    return { text: undefined, oid: '', isTooLarge: true, problems: [{ path, message: `It ${message}.` }] }
  }
  const bytes = await readAll(file, limit)
  const oid = blobName(bytes)
  if (bytes.includes(0)) {
    const start = new TextDecoder(bytes[0] === 0xfe ? 'utf-16be' : 'utf-16le').decode(bytes)
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    if (isWide)
      return { text: start, oid, problems: [{ path, message: 'It is written in UTF-16; UTF-8 is expected.' }] }
    return { text: undefined, oid, problems: [{ path, message: 'It is no text, and was left out.' }] }
  }
  const { text: written, problems } = decode(path, bytes)
  if (!threads) return { text: written, oid, problems }
  const onProblem = (problem: ImportProblem): void => void problems.push(problem)
  const text = findInHugo ? await fromHugo({ path, text: written }, { threads, findInHugo, onProblem }) : written
  const given = { path, text: text.slice(0, lengthOfFrontMatter(text)) }
  const front = await workOnText(threads, 'frontMatter', given, onProblem)
  const plain = file.isMdx ? withoutModules(text) : isMkDocs ? withoutAttributeLists(text) : text
  return { text: plain, oid, problems: front ? [...problems, front] : problems }
}

async function fromHugo(
  { path, text }: { path: string; text: string },
  {
    threads,
    findInHugo,
    onProblem,
  }: { threads: Threads; findInHugo: FindInHugo; onProblem: (problem: ImportProblem) => void },
): Promise<string> {
  const toml = tomlOf(text)
  const read = toml === '' ? undefined : await workOnText(threads, 'toml', { path, text: toml }, onProblem)
  if (read && 'problem' in read) onProblem({ path, line: read.line, message: read.problem })
  const markdown = read && 'yaml' in read ? read.yaml + text.slice(toml.length) : text
  const front = lengthOfFrontMatter(markdown)
  const unknown = new Map<string, number>()
  const body = withoutShortcodes(markdown.slice(front), {
    find: (target) => findInHugo(target, path),
    onUnknown: (name, line) => unknown.has(name) || unknown.set(name, line),
  })
  const above = markdown.slice(0, front).split('\n').length - 1
  for (const [name, line] of unknown)
    onProblem({
      path,
      line: above + line,
      message: `The shortcode ${name} is not known here, and stays as it is written.`,
    })
  return hideDraft(markdown.slice(0, front)) + body
}

function decode(path: string, bytes: Uint8Array): { text: string; problems: ImportProblem[] } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), problems: [] }
  } catch {
    const text = decodeWindows1252(bytes)
    const line = lineOfFirstWrong(bytes)
    return { text, problems: [{ path, line, message: 'It is not written in UTF-8, and was read as Windows-1252.' }] }
  }
}

/** The first line that cannot be UTF-8. */
function lineOfFirstWrong(bytes: Uint8Array): number {
  const lines = Buffer.from(bytes).toString('utf8').split('\n')
  return lines.findIndex((line) => line.includes('\ufffd')) + 1 || 1
}
