/**
 * Prints the pages of all spaces that this printer has not printed: after an upgrade that brought another one, and after a
 * restore, which brings no prints. Without it the first reader of each page would wait for what is a row otherwise.
 *
 * What is printed is passed over, so that whoever begins again goes on where the last one stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { printerVersion } from '../../../core/document/printer-version.ts'
import { entries } from '../../../core/revision/map.ts'
import type { PageRecord } from '../../../core/revision/records.ts'
import { readContent } from '../../../store/content/content.ts'
import { findRevision } from '../../../store/content/revisions.ts'
import { findSpace } from '../../../store/content/spaces.ts'
import type { Database } from '../../../store/database.ts'
import { readSetting, writeSetting } from '../../../store/settings.ts'
import { listSpaceIds } from '../../../store/upkeep/rebuild.ts'
import { printDue } from './print-ahead.ts'

/** Pages of a step, after which others have the processors for as long as it took. */
const aStep = 8

export interface PrintedSpaces {
  printed: number
  /** Left to those who read them. */
  failed: number
}

export async function printSpaces(db: Database, signal: AbortSignal): Promise<PrintedSpaces> {
  const all: PrintedSpaces = { printed: 0, failed: 0 }
  for (let after = ''; ; ) {
    const spaces = await listSpaceIds(db, { after, limit: 100 })
    for (const { id } of spaces) await printSpace(db, id, { signal, all })
    const last = spaces.at(-1)
    if (!last) return all
    after = last.id
  }
}

async function printSpace(
  db: Database,
  spaceId: string,
  { signal, all }: { signal: AbortSignal; all: PrintedSpaces },
): Promise<void> {
  const space = await findSpace(db, { id: spaceId })
  if (!space || space.deletedAt !== null) return
  const revision = await findRevision(db, { id: space.revisionId, spaceId })
  if (!revision) return
  const reader = readContent(db)
  const isOver = () => signal.aborted
  const unprinted = () => {
    all.failed += 1
  }
  for (let from = ''; ; ) {
    signal.throwIfAborted()
    const pages = await entries<PageRecord>(reader, revision.content.pages, { from, limit: aStep })
    const last = pages.at(-1)
    if (!last) return
    from = `${last[0]}\0`
    const began = performance.now()
    const hashes = pages.flatMap(([, { document }]) => document ?? [])
    const printed = await printDue(db, hashes, { aside: true, isOver, unprinted })
    all.printed += printed
    if (printed > 0) await sleep(performance.now() - began, undefined, { signal })
  }
}

/** Which printer has printed all pages, and since when. */
const settingName = 'printedBy'

interface PrintedBy {
  printer: string
  at: number
}

/**
 * While processes of two versions run beside each other, each would print what the other has printed, again and again: what one has
 * finished, another leaves alone for so long.
 */
const leftAloneMilliseconds = 60 * 60 * 1000

/** Whether this printer has yet to print everything. */
export async function isPrinterNew(db: Database, now = Date.now()): Promise<boolean> {
  const noted = await readSetting(db, settingName)
  if (noted === undefined) return true
  const { printer, at }: PrintedBy = JSON.parse(noted)
  return printer !== printerVersion && now - at > leftAloneMilliseconds
}

export async function notePrinted(db: Database, now = Date.now()): Promise<void> {
  const noted: PrintedBy = { printer: printerVersion, at: now }
  await db.transaction((tx) => writeSetting(tx, settingName, JSON.stringify(noted)), { derived: true })
}
