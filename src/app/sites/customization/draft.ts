/**
 * What a person changes before it is saved. It is on the device from the first change on, so that closing the tab loses
 * nothing; and it is saved onto the version it was made from, so that nobody writes over what somebody else saved meanwhile:
 * their changes are brought together, and what both changed is asked about.
 */
import { useEffect, useMemo, useState } from 'react'
import { CallFailed } from '../../../client/client.ts'
import { showProblem } from '../../kit/toast.tsx'
import { refresh } from '../../session/client.ts'
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
  clashes: readonly string[]
  isRestored: boolean
  isSaving: boolean
  change: (change: (before: Customization) => Customization) => void
  discard: () => void
  takeTheirs: () => void
  /** Whether it was saved. */
  save: () => Promise<boolean>
}

const mostAttempts = 3

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
  const problems = useMemo(
    () => new Map([...refused, ...findProblems(draft, { hadTitle })]),
    [draft, refused, hadTitle],
  )

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
    setState((now) => ({
      saved: fresh,
      draft: mergeSettings({ base: from.draft, mine: now.draft, theirs: fresh.customization }).settings,
      clashes: [],
      isRestored: false,
    }))
    void refresh('getSiteCustomizationById', 'getSiteSpaceCustomizationById', 'getSiteById', 'listSites')
    return true
  }

  return {
    customization: draft,
    saved: saved.customization,
    changed,
    problems,
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

/** What an earlier visit left unsaved, on top of what is saved now. */
function restore(key: string, saved: Versioned): State {
  const none: State = { saved, draft: saved.customization, clashes: [], isRestored: false }
  try {
    const text = stored.get(key)
    if (!text) return none
    const { base, draft }: { base: Customization; draft: Customization } = JSON.parse(text)
    const merged = mergeSettings({ base, mine: draft, theirs: saved.customization })
    return { saved, draft: merged.settings, clashes: merged.clashes, isRestored: true }
  } catch {
    return none
  }
}
