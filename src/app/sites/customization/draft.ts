/**
 * What a person changes before it is saved. It is on the device from the first change on, so that closing the tab loses
 * nothing; and it is saved onto the version it was made from, so that nobody writes over what somebody else saved meanwhile:
 * their changes are brought together, and what both changed is asked about.
 */
import { useEffect, useMemo, useState } from 'react'
import { CallFailed } from '../../../client/client.ts'
import { showProblem } from '../../kit/toast.tsx'
import { type Name, refresh } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { ownKey } from '../../session/person.ts'
import { endedSession } from '../../session/signed-out.ts'
import { stored } from '../../session/stored.ts'
import { customizationTexts } from '../../texts/customization.ts'
import { findProblems, type Problems, tidied } from './problems.ts'
import { changedSettings, mergeSettings, settingAt, withSetting } from './settings.ts'
import { type Customization, readCustomization, type Target, type Versioned, writeCustomization } from './target.ts'

interface State {
  /** What is saved, as far as it is known here. */
  saved: Versioned
  draft: Customization
  /** What somebody else changed too; it is asked about before it is saved. */
  clashes: readonly string[]
  /** From an earlier visit. */
  isRestored: boolean
}

export interface Draft {
  customization: Customization
  saved: Customization
  changed: readonly string[]
  problems: Problems
  /** Whether there is anything that would be refused for certain; what the server refused may be right by now. */
  isWrong: boolean
  clashes: readonly string[]
  isRestored: boolean
  isSaving: boolean
  change: (change: (before: Customization) => Customization) => void
  discard: () => void
  takeTheirs: () => void
  /** Undoes what was saved, and nothing that others saved since; also when the screen is left by then. */
  takeBack: (change: { from: Customization; to: Customization }) => Promise<boolean>
  /** Whether it was saved. */
  save: () => Promise<boolean>
}

const mostAttempts = 3
const stale: Name[] = ['getSiteCustomizationById', 'getSiteSpaceCustomizationById', 'getSiteById', 'listSites']

export function useDraft(target: Target, loaded: Versioned): Draft {
  const key = keyOf(target)
  const [state, setState] = useState<State>(() => restore(key, loaded))
  const [refused, setRefused] = useState<Problems>(new Map())
  const [isSaving, setIsSaving] = useState(false)
  const { saved, draft, clashes } = state
  const changed = useMemo(() => changedSettings(saved.customization, draft), [saved, draft])
  useEffect(() => {
    stored.set(key, changed.length === 0 ? '' : JSON.stringify({ base: saved.customization, draft }))
  }, [key, saved, draft, changed])
  const hadTitle = target.siteSpaceId !== undefined && saved.customization.title !== undefined
  const found = useMemo(() => findProblems(draft, { hadTitle }), [draft, hadTitle])
  const problems = useMemo(() => new Map([...refused, ...found]), [found, refused])

  const write = async (from: State, attempt = 1): Promise<boolean> => {
    const customization = tidied(from.draft)
    const paths = changedSettings(from.saved.customization, customization)
    try {
      if (paths.length > 0) await writeCustomization(target, { changed: paths, customization, etag: from.saved.etag })
    } catch (error) {
      if (!(error instanceof CallFailed && error.type === 'precondition_failed') || attempt === mostAttempts)
        throw error
      const theirs = await readCustomization(target)
      const merged = mergeSettings({
        base: from.saved.customization,
        mine: customization,
        theirs: theirs.customization,
      })
      const next = { saved: theirs, draft: merged.settings, clashes: merged.clashes, isRestored: false }
      setState((now) => ({
        ...next,
        draft: mergeSettings({ base: from.draft, mine: now.draft, theirs: next.draft }).settings,
      }))
      return merged.clashes.length === 0 && write(next, attempt + 1)
    }
    const fresh = await readCustomization(target)
    // What was changed while it was being saved is still to be saved.
    setState((now) => based(fresh, { base: from.draft, mine: now.draft }))
    void refresh(...stale)
    return true
  }

  return {
    customization: draft,
    saved: saved.customization,
    changed,
    problems,
    isWrong: found.size > 0,
    clashes,
    isRestored: state.isRestored,
    isSaving,
    change: (change) => {
      setRefused(new Map())
      setState((before) => ({ ...before, draft: change(before.draft), isRestored: false }))
    },
    discard: () => {
      setRefused(new Map())
      setState((before) => ({ ...before, draft: before.saved.customization, clashes: [], isRestored: false }))
    },
    takeTheirs: () =>
      setState((before) => ({
        ...before,
        clashes: [],
        draft: before.clashes.reduce(
          (draft, path) => withSetting(draft, path, settingAt(before.saved.customization, path)),
          before.draft,
        ),
      })),
    takeBack: async ({ from, to }) => {
      try {
        const now = await readCustomization(target)
        const { settings } = mergeSettings({ base: from, mine: to, theirs: now.customization })
        const paths = changedSettings(now.customization, settings)
        if (paths.length > 0)
          await writeCustomization(target, { changed: paths, customization: settings, etag: now.etag })
        const fresh = await readCustomization(target)
        setState((before) => based(fresh, { base: before.saved.customization, mine: before.draft }))
        void refresh(...stale)
        return true
      } catch (error) {
        if (!endedSession(error)) tell(error)
        return false
      }
    },
    save: async () => {
      if (isSaving) return false
      setIsSaving(true)
      try {
        return await write({ ...state, clashes: [] })
      } catch (error) {
        if (error instanceof CallFailed && error.details.length > 0)
          setRefused(new Map(error.details.map(({ field, message }) => [field, message])))
        else if (!endedSession(error)) tell(error)
        return false
      } finally {
        setIsSaving(false)
      }
    },
  }
}

function tell(error: unknown): void {
  const { title, text } = explain(error)
  showProblem(error instanceof CallFailed ? { title, text } : { title, text: customizationTexts.bar.offline })
}

const keyOf = ({ siteId, siteSpaceId = '' }: Target): string => ownKey(`customization/${siteId}/${siteSpaceId}`)

/** What was changed since `base`, on top of what is saved now. */
function based(saved: Versioned, { base, mine }: { base: Customization; mine: Customization }): State {
  const { settings, clashes } = mergeSettings({ base, mine, theirs: saved.customization })
  return { saved, draft: settings, clashes, isRestored: false }
}

/** What an earlier visit left unsaved, on top of what is saved now. */
function restore(key: string, saved: Versioned): State {
  const none: State = { saved, draft: saved.customization, clashes: [], isRestored: false }
  try {
    const text = stored.get(key)
    if (!text) return none
    const { base, draft }: { base: Customization; draft: Customization } = JSON.parse(text)
    return { ...based(saved, { base, mine: draft }), isRestored: true }
  } catch {
    return none
  }
}
