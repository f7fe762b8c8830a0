/** The inside of the thread that writes and prints heavy pages: one after another. */
import { once } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { Caches } from '../../core/caches.ts'
import { toMarkdown } from '../../core/document/to-markdown.ts'
import type { ContentRef } from '../../core/document/tree/nodes.ts'
import type { SpecPart } from '../../core/openapi/part.ts'
import { answerTasks } from '../../threads/answer-tasks.ts'
import type { PrintTask, RenderTask, Written } from './aside.ts'
import { refKey, renderBody } from './body.ts'
import type { RenderedParts } from './parts.ts'

/** Of this thread alone: what it wrote before it need not highlight again. */
const caches = new Caches({ bytes: 256 * 1024 * 1024 })

answerTasks(
  (input) => {
    const given = input as RenderTask | PrintTask
    if ('markdown' in given) return printed(given)
    return written(given)
  },
  { caches },
)

async function written({ document, specs, parts, ...rest }: RenderTask): Promise<Written> {
  const page = { ...rest, document: JSON.parse(document), specs: new Map<string, SpecPart>(JSON.parse(specs)) }
  const renderedParts = new PartsBehindPort(parts)
  try {
    const body = await renderBody(page, { caches, renderedParts })
    return { body, made: renderedParts.made }
  } finally {
    parts.close()
  }
}

/** A page of ten thousand blocks does not hold up the event loop that looks for them. */
const askedAtOnce = 100

class PartsBehindPort implements RenderedParts {
  readonly made = new Map<string, Uint8Array>()
  readonly #port: MessagePort
  #last: Promise<unknown> = Promise.resolve()

  constructor(port: MessagePort) {
    this.#port = port
  }

  async find(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>()
    for (let at = 0; at < hashes.length; at += askedAtOnce)
      for (const [hash, bytes] of await this.#ask(hashes.slice(at, at + askedAtOnce))) found.set(hash, bytes)
    return found
  }

  /** By itself: what is a view of more bytes would be handed over with all of them. */
  keep(hash: string, bytes: Uint8Array): void {
    this.made.set(hash, Uint8Array.from(bytes))
  }

  /** One question after the other, since code and formulas are asked for at the same time. */
  #ask(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const answered = this.#last.then(async () => {
      this.#port.postMessage(hashes)
      const [found] = await once(this.#port, 'message')
      return found
    })
    this.#last = answered
    return answered
  }
}

function printed({ markdown, title, frontMatter, targets }: PrintTask): string {
  const known = new Map(targets)
  const printRef = (ref: ContentRef): string => known.get(refKey(ref)) ?? '#'
  return toMarkdown(JSON.parse(markdown), { title, printRef, ...(frontMatter === undefined ? {} : { frontMatter }) })
}
