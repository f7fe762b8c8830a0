/**
 * A session can end while the app is open. Then nothing is taken away: whoever writes goes on, is told, and signs in again when
 * they like, here or in another tab.
 */
import { CallFailed } from '../../client/client.ts'
import { closeMessage, showProblem } from '../kit/toast.tsx'
import { t } from '../texts/index.ts'
import { goToSignIn, signInAgain } from './leaving.ts'
import { hasPerson } from './person.ts'

let message: number | undefined

export const isSignedOut = (): boolean => message !== undefined

/** Whether a call was refused because the session has ended; whoever made it need not say so again. */
export const endedSession = (error: unknown): boolean => error instanceof CallFailed && error.type === 'unauthenticated'

/** Looks at every answer of the server. */
export async function noteAnswer(answer: Response): Promise<void> {
  if (answer.ok && message !== undefined) {
    closeMessage(message)
    message = undefined
  }
  if (answer.status !== 401 || !(await isUnauthenticated(answer.clone()))) return
  // Nothing is shown yet to somebody who is not known.
  if (!hasPerson()) goToSignIn()
  else message = showProblem(t.session.ended, { label: t.session.signInAgain, run: signInAgain })
}

async function isUnauthenticated(answer: Response): Promise<boolean> {
  const body: unknown = await answer.json().catch(() => undefined)
  return JSON.stringify(body ?? '').includes('"unauthenticated"')
}
