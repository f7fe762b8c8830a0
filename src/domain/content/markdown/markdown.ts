/**
 * Markdown read and printed without holding up other requests: what is short is done at once, what could take long
 * goes to a thread, which has a deadline and a cap on its memory.
 */

import type { Printed } from '../../../core/document/printed.ts'
import { type FromMarkdown, fromMarkdown } from '../../../core/document/read/from-markdown.ts'
import { lengthOfFrontMatter } from '../../../core/document/syntax/front-matter.ts'
import { type ToMarkdownOptions, toMarkdown } from '../../../core/document/to-markdown.ts'
import type { ContentRef, JSONDocument } from '../../../core/document/tree/nodes.ts'
import { canonicalRef } from '../../../core/document/tree/normalise-data.ts'
import { collectRefs, printRef as printRefAlone } from '../../../core/document/tree/refs.ts'
import { holdsMore, maxSize } from '../../../core/document/tree/size.ts'
import type { Validated } from '../../../core/document/tree/validate.ts'
import { fail, invalid, invalidDocument } from '../../../core/errors.ts'
import { parseInSlices, printInSlices } from '../../../store/time-slices.ts'
import { type TaskOptions, ThreadError } from '../../../threads/pool.ts'
import type { Threads } from '../../../threads/supervisor.ts'

/** How references are spelt in a thread, where a function cannot go: by the JSON of each. */
export type Spelling = readonly (readonly [ref: string, target: string])[]
export type MarkdownTask =
  /** With keys, taken over from the document before, whose references `spelling` spells as authors do. */
  | { read: string; isPart?: boolean; keys?: { previous?: string | undefined; spelling: Spelling } }
  /** A document that was sent, checked and given keys, taken over from the one before. */
  | { check: string; previous: string | undefined }
  /** As core/document/printed.ts has it, and so it comes back, as JSON. */
  | { template: string }
  | { print: string; title: string | undefined; frontMatter: ToMarkdownOptions['frontMatter']; spelling: Spelling }
/** A tree goes as JSON, which the receiving side reads several times faster than a copied object. */
export type ReadMarkdown = Omit<FromMarkdown, 'document'> & { document: string }

export interface ReadOptions {
  /** Gives keys to what is read in a thread; the document that it replaces, if there is one, is asked for only then. */
  previous?: () => Promise<{ document: JSONDocument; printRef: (ref: ContentRef) => string } | undefined>
  /** As of `fromMarkdown`. */
  isPart?: boolean
  limits?: TaskOptions
}

/** `keyed`: its nodes have their keys already. */
export async function readMarkdown(
  threads: Threads,
  markdown: string,
  field: string,
  { previous, isPart = false, limits }: ReadOptions = {},
): Promise<FromMarkdown & { keyed: boolean }> {
  if (!isHeavyText(markdown)) return { ...fromMarkdown(markdown, { isPart }), keyed: false }
  const before = await previous?.()
  const keys = {
    previous: before && (await printInSlices(before.document)),
    spelling: before ? spellingOf(before.document, before.printRef) : [],
  }
  const task: MarkdownTask = { read: markdown, isPart, ...(previous ? { keys } : {}) }
  try {
    const answer = await threads.run('markdown', task, limits)
    if (answer === 'too large')
      throw invalid(field, `holds more than ${maxSize} blocks, cells, texts and marks: part it`)
    if (!isRead(answer)) throw new Error('The Markdown thread answered something else.')
    const document = (await parseInSlices(answer.document)) as JSONDocument
    return { ...answer, document, keyed: previous !== undefined }
  } catch (error) {
    if (isTooMuch(error)) throw invalid(field, 'takes too long to read: it holds too many marks, cells or list items')
    throw refusalOf(error)
  }
}

/** What the thread says of a document that was sent. */
export type CheckedDocument = { ok: true; document: string } | Extract<Validated, { ok: false }>

/** A large document that was sent: checked, with its keys. */
export async function checkDocument(
  threads: Threads,
  given: object,
  field: string,
  { previous, limits }: ReadOptions = {},
): Promise<JSONDocument> {
  const before = await previous?.()
  const task: MarkdownTask = {
    check: await printInSlices(given),
    previous: before && (await printInSlices(before.document)),
  }
  try {
    const checked = (await threads.run('markdown', task, limits)) as CheckedDocument
    if (!checked.ok) throw invalidDocument(field, checked.problem)
    return (await parseInSlices(checked.document)) as JSONDocument
  } catch (error) {
    if (isTooMuch(error)) throw invalid(field, 'takes too long to check: it holds too many blocks or cells')
    throw refusalOf(error)
  }
}

export async function printMarkdown(
  threads: Threads,
  document: JSONDocument,
  options: ToMarkdownOptions,
  limits?: TaskOptions,
): Promise<string> {
  if (!isHeavyTree(document)) return toMarkdown(document, options)
  const task: MarkdownTask = {
    print: await printInSlices(document),
    title: options.title,
    frontMatter: options.frontMatter,
    spelling: spellingOf(document, options.printRef),
  }
  try {
    return String(await threads.run('markdown', task, limits))
  } catch (error) {
    throw printingError(error)
  }
}

/** In the thread, whatever its size. */
export async function printTemplateAside(
  threads: Threads,
  document: JSONDocument,
  limits?: TaskOptions,
): Promise<Printed> {
  const task: MarkdownTask = { template: await printInSlices(document) }
  try {
    return JSON.parse(String(await threads.run('markdown', task, limits)))
  } catch (error) {
    throw printingError(error)
  }
}

function printingError(error: unknown): unknown {
  if (isTooMuch(error)) return fail('overloaded', 'The page takes too long to print. Ask for `format=document`.')
  return refusalOf(error)
}

// Reading costs about a third of a microsecond for a letter and several for a character that can be markup, on the
// slowest machine we know; both bounds are about ten milliseconds.
const markup = /[\n*_[\]<`|{&!$~:@\\]/g
/** In YAML every sign can be markup. */
const yamlMarkup = /[^\w ]/g
const heavyText = 32_768
const markupWeight = 25
const heavyTree = { nodes: 400, letters: 65_536 }

export function isHeavyText(markdown: string): boolean {
  if (markdown.length > heavyText) return true
  if (markdown.length * (1 + markupWeight) <= heavyText) return false
  const front = lengthOfFrontMatter(markdown)
  const signs =
    front === 0
      ? signsIn(markdown, markup)
      : signsIn(markdown.slice(0, front), yamlMarkup) + signsIn(markdown.slice(front), markup)
  return markdown.length + markupWeight * signs > heavyText
}

/** The same of settings and front matter. */
export const isHeavyYaml = (text: string): boolean =>
  text.length > heavyText || text.length + markupWeight * signsIn(text, yamlMarkup) > heavyText

const signsIn = (text: string, sign: RegExp): number => text.match(sign)?.length ?? 0

export const isHeavyTree = (document: JSONDocument): boolean => holdsMore(document, heavyTree)

function spellingOf(document: JSONDocument, printRef = printRefAlone): Spelling {
  const spelt = new Map<string, string>()
  const add = (ref: ContentRef): void => void spelt.set(JSON.stringify(ref), printRef(ref))
  for (const { ref } of collectRefs(document)) {
    add(ref)
    // The printer puts the tree in its one form first.
    add(canonicalRef(ref))
  }
  return [...spelt]
}

const isRead = (answer: unknown): answer is ReadMarkdown =>
  typeof answer === 'object' && answer !== null && 'document' in answer && 'frontMatter' in answer

const isTooMuch = (error: unknown): boolean =>
  error instanceof ThreadError && (error.code === 'timeout' || error.code === 'out_of_memory')

function refusalOf(error: unknown): unknown {
  return error instanceof ThreadError && error.code === 'stopped' ? fail('overloaded') : error
}
