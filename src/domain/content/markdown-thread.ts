/** The inside of the Markdown thread: reads and prints one page at a time. */
import { fromMarkdown } from '../../core/document/from-markdown.ts'
import { printRef } from '../../core/document/refs.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import { answerTasks } from '../../platform/thread-side.ts'
import type { MarkdownTask, ReadMarkdown } from './markdown.ts'

answerTasks((input) => {
  const task: MarkdownTask = JSON.parse(String(input))
  if ('read' in task) {
    const { document, ...rest } = fromMarkdown(task.read)
    return { ...rest, document: JSON.stringify(document) } satisfies ReadMarkdown
  }
  const spelt = new Map(task.spelling)
  return toMarkdown(JSON.parse(task.print), {
    ...(task.title === undefined ? {} : { title: task.title }),
    ...(task.frontMatter === undefined ? {} : { frontMatter: task.frontMatter }),
    printRef: (ref) => spelt.get(JSON.stringify(ref)) ?? printRef(ref),
  })
})
