/** Files as the API shows them, with an address at which whoever got it may fetch the bytes for a while. */

import type { z } from 'zod'
import type { File } from '../../contract/content/pages.ts'
import { isFromGit } from '../../core/import/origins.ts'
import type { FileRecord } from '../../core/revision/records.ts'
import type { Environment } from '../environment.ts'

/** An address is good for half a day to a day: long enough to be cached, short enough to end with a right that ended. */
const halfDay = 12 * 60 * 60 * 1000

/** What a download address says, sealed so that nobody can change it. */
export interface FileTicket {
  blob: string
  type: string
  name: string
  until: number
}

export const filePurpose = 'file'

export function presentFile(
  file: FileRecord,
  { env, now, metadata = true }: { env: Environment; now: string; metadata?: boolean },
): z.output<typeof File> {
  // Rounded, so that the same file has the same address for half a day and answers can be cached.
  const until = (Math.floor(Date.parse(now) / halfDay) + 2) * halfDay
  const ticket: FileTicket = { blob: file.blob, type: file.contentType, name: file.name, until }
  return {
    id: file.id,
    name: file.name,
    contentType: file.contentType,
    downloadURL: env.urls.file(env.signer.seal(filePurpose, JSON.stringify(ticket)), file.name),
    size: file.size,
    ...(file.dimensions === undefined ? {} : { dimensions: file.dimensions }),
    ...(file.git === undefined || !isFromGit(file) || !metadata ? {} : { git: file.git }),
  }
}
