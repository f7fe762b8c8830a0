/** A page that somebody has just had made is opened with the cursor in it: what they type next belongs there. */

/** Given along with the address; a reload or a way back has it no more. */
export const writeAtOnce = { write: true } as const

export function takeWriteAtOnce(): boolean {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('write' in state)) return false
  history.replaceState(null, '')
  return true
}
