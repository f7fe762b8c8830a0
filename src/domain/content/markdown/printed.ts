/**
 * What a document prints as, printed and proved once: kept under its hash, with slots for references (core/document/printed.ts).
 * Reading a page as Markdown is then reading a row.
 *
 * What is missing is printed when it is asked for and left in `unstoredMarkdown`, from where whoever owns the database stores it
 * (print-ahead.ts): a reader never waits for a write.
 */
import type { Caches } from '../../../core/caches.ts'
import { printerVersion } from '../../../core/document/printer-version.ts'
import type { JSONDocument } from '../../../core/document/tree/nodes.ts'
import type { Connection } from '../../../store/database.ts'
import { findPrinted } from '../../../store/packed/printed.ts'
import type { Threads } from '../../../threads/supervisor.ts'
import { isHeavyTree, printTemplateAside } from './markdown.ts'
import { asStored, printStored, readStored, type StoredMarkdown } from './print-stored.ts'

/** The Markdown of the document with this hash; `load` loads the document where it was not printed yet. */
export async function storedMarkdown(
  db: Connection,
  hash: string,
  load: () => Promise<JSONDocument>,
): Promise<StoredMarkdown> {
  const known = unstoredMarkdown(db.caches).get(hash) ?? (await findPrinted(db, { hash, printer: printerVersion }))
  if (known !== undefined) return readStored(known)
  const document = await load()
  const printed = await printForStorage(db.threads, document, { aside: isHeavyTree(document) })
  unstoredMarkdown(db.caches).leave(hash, printed)
  return readStored(printed)
}

/** What is stored of it. */
export async function printForStorage(
  threads: Threads,
  document: JSONDocument,
  { aside }: { aside: boolean },
): Promise<string> {
  return aside ? asStored(await printTemplateAside(threads, document), document) : printStored(document)
}

/** What was printed and waits to be stored, by hash. More than it holds is printed again when it is asked for again. */
class UnstoredMarkdown {
  readonly #texts = new Map<string, string>()
  #characters = 0

  get(hash: string): string | undefined {
    return this.#texts.get(hash)
  }

  leave(hash: string, text: string): void {
    if (this.#texts.has(hash) || this.#characters + text.length > mostCharacters) return
    this.#texts.set(hash, text)
    this.#characters += text.length
  }

  all(): ReadonlyMap<string, string> {
    return new Map(this.#texts)
  }

  forget(hash: string): void {
    this.#characters -= this.#texts.get(hash)?.length ?? 0
    this.#texts.delete(hash)
  }
}

const mostCharacters = 4_000_000

const pending = new WeakMap<Caches, UnstoredMarkdown>()

export function unstoredMarkdown(caches: Caches): UnstoredMarkdown {
  let known = pending.get(caches)
  if (!known) {
    known = new UnstoredMarkdown()
    pending.set(caches, known)
  }
  return known
}
