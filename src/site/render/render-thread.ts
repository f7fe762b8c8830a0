/** The inside of the thread that writes and prints heavy pages: one after another. */
import { Caches } from '../../core/caches.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { PrintTask, RenderTask } from './aside.ts'
import { refKey, renderBody } from './body.ts'

/** Of this thread alone: what it wrote before it need not highlight again. */
const caches = new Caches({ bytes: 256 * 1024 * 1024 })

answerTasks(
  (input) => {
    const given = input as RenderTask | PrintTask
    if ('markdown' in given) return printed(given)
    const { document, specs, ...rest } = given
    const page = { ...rest, document: JSON.parse(document), specs: new Map<string, SpecPart>(JSON.parse(specs)) }
    return renderBody(page, { caches })
  },
  { caches },
)

function printed({ markdown, title, frontMatter, targets }: PrintTask): string {
  const known = new Map(targets)
  const printRef = (ref: ContentRef): string => known.get(refKey(ref)) ?? '#'
  return toMarkdown(JSON.parse(markdown), { title, printRef, ...(frontMatter === undefined ? {} : { frontMatter }) })
}
