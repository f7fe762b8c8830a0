/** Prints all pages once with the printer of this version, in the background: a reader who finds a page printed by another version has to wait. */
import { z } from 'zod'
import { isPrinterNew, notePrinted, printSpaces } from '../domain/content/markdown/print-spaces.ts'
import { defineJob } from './kinds.ts'

const minute = 60_000

export const print = defineJob({
  every: minute,
  background: true,
  // A large database takes as many runs as it takes: each goes on from the last.
  milliseconds: 60 * minute,
  payload: z.null(),
  async run({ db, log, signal }) {
    if (!(await isPrinterNew(db))) return
    const began = performance.now()
    const { printed, failed } = await printSpaces(db, signal)
    await notePrinted(db)
    const milliseconds = Math.round(performance.now() - began)
    if (printed + failed > 0)
      log.info({ printed, failed, milliseconds }, 'printed pages with the printer of this version')
  },
})
