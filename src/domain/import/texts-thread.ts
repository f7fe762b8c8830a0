/** The inside of the thread that reads the texts of an import: as they will be stored, and packed as they are stored. */
import type { ContentRef, JSONDocument } from '../../core/document/tree/nodes.ts'
import { settleDocument } from '../../core/import/settle.ts'
import { readSummary } from '../../core/repository/summary.ts'
import { indexPaths, type PathIndex } from '../../core/repository/targets.ts'
import { printExtract } from '../../core/search/extract.ts'
import { contentHash } from '../../store/content/content-hash.ts'
import { pack } from '../../store/packed/pack.ts'
import { answerTasks, yieldToOthers } from '../../threads/answer-tasks.ts'
import { printStored } from '../content/markdown/print-stored.ts'
import { readWithin } from '../content/markdown/read-within.ts'
import { textWork } from './text-work.ts'
import type { Settled, SharedIndex, TextAnswer, TextsTask, TextToRead } from './texts-aside.ts'

yieldToOthers()

answerTasks((input) => {
  const task = input as TextsTask
  if ('summary' in task) return readSummary(task.summary, task)
  if ('work' in task) return textWork[task.work](task)
  const index = indexOf(task.index)
  if ('settle' in task) {
    const { path, document, previous } = task.settle
    return settled(JSON.parse(document), { path, previous }, index)
  }
  return task.texts.map((text) => read(text, index))
})

let last: { id: string; index: PathIndex } | undefined

function indexOf({ id, bytes }: SharedIndex): PathIndex {
  if (last?.id === id) return last.index
  const { exact, routes } = JSON.parse(Buffer.from(bytes).toString()) as {
    exact: [string, ContentRef][]
    routes?: [string, ContentRef][]
  }
  const index = { ...indexPaths(exact), ...(routes ? { routes: new Map(routes) } : {}) }
  last = { id, index }
  return index
}

function read({ path, markdown, previous }: TextToRead, index: PathIndex): TextAnswer {
  const found = readWithin(markdown)
  if (found === undefined) return 'too large'
  const { document, frontMatter, title } = found
  if (document.nodes.length === 0) return { frontMatter, title, isSame: false }
  return { frontMatter, title, ...settled(document, { path, previous }, index) }
}

function settled(
  document: JSONDocument,
  { path, previous }: Pick<TextToRead, 'path' | 'previous'>,
  index: PathIndex,
): Settled {
  const before: JSONDocument | undefined = previous === undefined ? undefined : JSON.parse(previous)
  const found = settleDocument(document, { path, index, previous: before })
  if (!found) return { isSame: true }
  const json = JSON.stringify(found.document)
  return {
    isSame: false,
    document: { hash: contentHash(json), length: json.length, packed: pack(json) },
    printed: pack(printStored(found.keyless, json)),
    extract: printExtract(found.document),
  }
}
