/**
 * What people are told when a part of the app could not be loaded: that there is a newer app, where the server no longer has
 * the files of this one; otherwise that the connection failed.
 */
import { t } from '../texts/index.ts'

interface Explanation {
  title: string
  text: string
  /** Only a reload helps. */
  isReplaced: boolean
}

export const partMissing = (): Explanation => ({
  title: t.problems.partMissing,
  text: t.problems.partMissingText,
  isReplaced: false,
})

export async function explainMissingPart(): Promise<Explanation> {
  // Parts of one build come and go together, so this one stands for the other.
  const answer = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer?.status !== 404) return partMissing()
  return { title: t.problems.newVersion, text: t.problems.newVersionText, isReplaced: true }
}
