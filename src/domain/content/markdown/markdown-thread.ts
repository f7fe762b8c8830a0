/** The inside of the Markdown thread: reads and prints one page at a time. */

import { printTemplate } from '../../../core/document/printed.ts'
import { toMarkdown } from '../../../core/document/to-markdown.ts'
import { assignKeys } from '../../../core/document/tree/keys.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import { mapRefs, parseRef, printRef } from '../../../core/document/tree/refs.ts'
import { validateDocument } from '../../../core/document/tree/validate.ts'
import { answerTasks } from '../../../threads/answer-tasks.ts'
import type { CheckedDocument, MarkdownTask, ReadMarkdown, Spelling } from './markdown.ts'
import { readWithin } from './read-within.ts'

answerTasks((input) => {
  const task = input as MarkdownTask
  if ('read' in task) {
    const read = readWithin(task.read, { isPart: task.isPart ?? false })
    if (read === undefined) return 'too large'
    const { document, ...rest } = read
    const whole = task.keys ? assignKeys(document, asWritten(task.keys)) : document
    return { ...rest, document: JSON.stringify(whole) } satisfies ReadMarkdown
  }
  if ('check' in task) return checked(task.check, task.previous)
  if ('template' in task) return JSON.stringify(printTemplate(JSON.parse(task.template), task.template))
  const spelt = new Map(task.spelling)
  return toMarkdown(JSON.parse(task.print), {
    ...(task.title === undefined ? {} : { title: task.title }),
    ...(task.frontMatter === undefined ? {} : { frontMatter: task.frontMatter }),
    printRef: (ref) => spelt.get(JSON.stringify(ref)) ?? printRef(ref),
  })
})

function checked(given: string, previous: string | undefined): CheckedDocument {
  const found = validateDocument(JSON.parse(given))
  if (!found.ok) return found
  const before: JSONDocument | undefined = previous === undefined ? undefined : JSON.parse(previous)
  return { ok: true, document: JSON.stringify(assignKeys(found.document, before)) }
}

/** The document before, with its references spelt as in the Markdown of the new one: then equal blocks are equal. */
function asWritten({ previous, spelling }: { previous?: string | undefined; spelling: Spelling }) {
  if (previous === undefined) return undefined
  const spelt = new Map(spelling)
  const document: JSONDocument = JSON.parse(previous)
  return mapRefs(document, (ref) => parseRef(spelt.get(JSON.stringify(ref)) ?? printRef(ref)))
}
