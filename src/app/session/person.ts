/**
 * Whose tab this is. What is kept on the device for later is kept by person; and a tab does not go on for one person when
 * somebody else has signed in beside it in the same browser. The server refuses what it would still send, by the header.
 */
import { stored, useStored } from './stored.ts'

const key = 'lectern-person'
let mine: string | undefined

/** Sent with every call: that our own script makes it, which no form of another site can, and for whom. */
export const ownHeaders: Record<string, string> = { 'x-lectern-app': '1' }

/** The first who is known is the person of this tab for as long as it is open. */
export function knowPerson(id: string): void {
  mine ??= id
  ownHeaders['x-lectern-user'] = mine
  stored.set(key, id)
}

/** Whether somebody is known. */
export const hasPerson = (): boolean => mine !== undefined

/** All tabs of this browser are told. */
export const forgetPerson = (): void => stored.set(key, '')

/** Who uses the app in this browser now, as far as another tab has changed it. */
export function useOtherPerson(): 'none' | 'nobody' | 'somebody' {
  const [now] = useStored(key, '')
  if (mine === undefined || now === mine) return 'none'
  return now === '' ? 'nobody' : 'somebody'
}

/** Where something of this person is kept on the device; nothing before one is known is. */
export const ownKey = (name: string): string => `lectern-${name}/${mine ?? ''}`
