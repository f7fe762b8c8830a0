/**
 * What a page can be written in without: the side panel, the bar, the palette. Where a page is the first screen they are
 * drawn when it stands, in pieces between which keys are heard; everywhere else at once.
 */
import { type ReactNode, startTransition, useEffect, useState } from 'react'
import { firstScreenStands, isPutOff } from '../session/first-answers.ts'

export const Rest = ({ children }: { children: ReactNode }) => (useRestIsDue() ? children : null)

export function useRestIsDue(): boolean {
  const [isDue, setDue] = useState(() => !isPutOff())
  useEffect(() => {
    if (!isDue) void firstScreenStands.then(() => startTransition(() => setDue(true)))
  }, [isDue])
  return isDue
}
