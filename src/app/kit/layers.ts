/**
 * What opens above a screen: menus, dialogs, popovers, the palette. No screen begins with one, so what they are made with is a
 * part of its own, loaded when the first screen stands, or when one is wanted before. Where that fails, people are told in
 * words, and it is tried again with the next press.
 */
import { useEffect, useState } from 'react'
import { explainMissingPart } from './missing-part.ts'
import { showProblem } from './toast.tsx'

export type Ariakit = typeof import('./ariakit.ts')

let loaded: Ariakit | undefined
let loading: Promise<Ariakit> | undefined

async function load(): Promise<Ariakit> {
  loading ??= import('./ariakit.ts')
  try {
    loaded = await loading
    return loaded
  } catch (error) {
    loading = undefined
    throw error
  }
}

/** Begins to load it before it is wanted: a failure is told to whoever wants it. */
export const loadLayers = (): void => void load().catch(() => undefined)

/** Given when it is there; `giveUp` is called where it cannot be had, which people have been told by then. */
export function useLayers(isWanted: boolean, giveUp: () => void): Ariakit | undefined {
  const [, setThere] = useState(loaded !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever wants it says so once, and then how to give up.
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    load()
      .then(() => setThere(true))
      .catch(async () => {
        const { title, text } = await explainMissingPart()
        if (isGone) return
        showProblem({ title, text })
        giveUp()
      })
    return () => {
      isGone = true
    }
  }, [isWanted])
  return loaded
}
