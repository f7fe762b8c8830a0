/** The inside of the Markdown thread: reads and prints one page at a time. */
import { fromMarkdown } from '../../core/document/from-markdown.ts'
import { assignKeys } from '../../core/document/keys.ts'
import type { JSONDocument } from '../../core/document/nodes.ts'
import { mapRefs, parseRef, printRef } from '../../core/document/refs.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import { maxNodes } from '../../core/document/validate.ts'
import { walk } from '../../core/document/walk.ts'
import { answerTasks } from '../../platform/thread-side.ts'
import type { MarkdownTask, ReadMarkdown, Spelling } from './markdown.ts'

answerTasks((input) => {
  const task: MarkdownTask = JSON.parse(String(input))
  if ('read' in task) {
    const { document, ...rest } = fromMarkdown(task.read)
    if (isLargerThan(document, maxNodes)) return 'too large'
    const whole = task.keys ? assignKeys(document, asWritten(task.keys)) : document
    return { ...rest, document: JSON.stringify(whole) } satisfies ReadMarkdown
  }
  const spelt = new Map(task.spelling)
  return toMarkdown(JSON.parse(task.print), {
    ...(task.title === undefined ? {} : { title: task.title }),
    ...(task.frontMatter === undefined ? {} : { frontMatter: task.frontMatter }),
    printRef: (ref) => spelt.get(JSON.stringify(ref)) ?? printRef(ref),
  })
})

function isLargerThan(document: JSONDocument, most: number): boolean {
  let left = most
  walk(document, () => {
    left -= 1
  })
  return left < 0
}

/** The document before, with its references spelt as in the Markdown of the new one: then equal blocks are equal. */
function asWritten({ previous, spelling }: { previous?: string | undefined; spelling: Spelling }) {
  if (previous === undefined) return undefined
  const spelt = new Map(spelling)
  const document: JSONDocument = JSON.parse(previous)
  return mapRefs(document, (ref) => parseRef(spelt.get(JSON.stringify(ref)) ?? printRef(ref)))
}
