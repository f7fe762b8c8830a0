/** The inside of the thread that writes and prints heavy pages: one after another. */
import { toMarkdown } from '../../core/document/to-markdown.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { PrintTask, RenderTask } from './aside.ts'
import { refKey, renderBody } from './body.ts'
import { highlightHere } from './highlight.ts'

highlightHere()

answerTasks((input) => {
  const given = input as RenderTask | PrintTask
  if ('markdown' in given) return printed(given)
  const { document, specs, ...rest } = given
  return renderBody({ ...rest, document: JSON.parse(document), specs: new Map<string, SpecPart>(JSON.parse(specs)) })
})

function printed({ markdown, title, frontMatter, targets }: PrintTask): string {
  const known = new Map(targets)
  const printRef = (ref: ContentRef): string => known.get(refKey(ref)) ?? '#'
  return toMarkdown(JSON.parse(markdown), { title, printRef, ...(frontMatter === undefined ? {} : { frontMatter }) })
}
