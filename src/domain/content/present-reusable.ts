/** A reusable content as the API shows it. */
import type { z } from 'zod'
import type { ReusableContent } from '../../contract/content/pages.ts'
import { isFromGit } from '../../core/import/origins.ts'
import type { ReusableRecord } from '../../core/revision/records.ts'

export function presentReusable(
  record: ReusableRecord,
  { metadata = true }: { metadata?: boolean } = {},
): z.output<typeof ReusableContent> {
  const { origin: _, git, ...shown } = record
  return git === undefined || !isFromGit(record) || !metadata ? shown : { ...shown, git }
}
