/**
 * How a site looks: its settings beside a preview of it. Nothing is saved as one types: a site is read while somebody works on
 * its look, and a colour alone, or half a header, is not what they want readers to see.
 */
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Loaded } from '../../kit/empty.tsx'
import { showDone } from '../../kit/toast.tsx'
import { customizationTexts } from '../../texts/customization.ts'
import { t } from '../../texts/index.ts'
import type { PartOfSite } from '../site-overview.tsx'
import { useDraft } from './draft.ts'
import { FormProvider } from './form.tsx'
import { Groups } from './groups.tsx'
import { Preview } from './preview.tsx'
import { SaveBar } from './save-bar.tsx'
import { mergeSettings } from './settings.ts'
import { SpaceChooser, SpaceDifferences } from './space-chooser.tsx'
import { type Customization, readCustomization, type Target, type Versioned } from './target.ts'

export function CustomizationTab({ site, organizationId }: PartOfSite) {
  const [siteSpaceId, choose] = useState('')
  // A new number begins anew with what is saved.
  const [round, setRound] = useState(0)
  const ofSite = { organizationId, siteId: site.id }
  const target: Target = siteSpaceId === '' ? ofSite : { ...ofSite, siteSpaceId }
  const loaded = useQuery({
    queryKey: ['customization', target, round],
    queryFn: ({ signal }) => readCustomization(target, signal),
    // It is the version that one works from: it is read when one begins, and not exchanged below one's hands.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className="customization">
      <div className="customization-head">
        <p className="ui-quiet">{customizationTexts.intro}</p>
        <SpaceChooser target={ofSite} chosen={siteSpaceId} onChoose={choose} />
        {siteSpaceId !== '' && (
          <SpaceDifferences key={siteSpaceId} target={target} onAsSite={() => setRound((number) => number + 1)} />
        )}
      </div>
      <Loaded query={loaded} lines={8}>
        {(data) => <Editor key={`${siteSpaceId} ${round}`} site={site} target={target} loaded={data} />}
      </Loaded>
    </div>
  )
}

function Editor({ site, target, loaded }: { site: PartOfSite['site']; target: Target; loaded: Versioned }) {
  const draft = useDraft(target, loaded)
  const { customization, problems, changed, change } = draft
  const [wasTried, setWasTried] = useState(false)
  const [version, setVersion] = useState(0)
  const form = useRef<HTMLDivElement>(null)
  const save = async (): Promise<void> => {
    if (changed.length === 0) return
    const [from, to] = [customization, draft.saved]
    if (draft.isWrong && draft.clashes.length === 0) {
      setWasTried(true)
      return showFirstProblem(form.current)
    }
    if (!(await draft.save())) return setWasTried(true)
    setWasTried(false)
    setVersion((number) => number + 1)
    const { saved, savedHidden } = customizationTexts.bar
    showDone(site.published ? saved : savedHidden, { label: t.common.undo, run: () => void undo({ from, to }) })
  }
  const latestSave = useRef(save)
  latestSave.current = save
  const undo = async (change: { from: Customization; to: Customization }): Promise<void> => {
    if (!(await draft.takeBack(change))) return
    setVersion((number) => number + 1)
    showDone(customizationTexts.bar.takenBack)
  }
  const discard = (): void => {
    const [base, mine] = [draft.saved, customization]
    draft.discard()
    setWasTried(false)
    showDone(customizationTexts.bar.discarded, {
      label: t.common.undo,
      run: () => change((theirs) => mergeSettings({ base, mine, theirs }).settings),
    })
  }
  useSaveKey(latestSave)
  // Typing does not wait for the preview.
  const previewed = useDeferredValue(customization)
  return (
    <FormProvider value={{ target, settings: customization, problems, wasTried, change }}>
      <div className="customization-columns">
        <div className="customization-form" ref={form}>
          <Button
            kind="quiet"
            className="customization-jump"
            onClick={() => document.getElementById('customization-preview')?.focus()}
          >
            {customizationTexts.toPreview}
          </Button>
          <Groups changed={changed} />
        </div>
        <Preview site={site} target={target} settings={previewed} changed={changed} version={version} />
      </div>
      <SaveBar
        draft={draft}
        wasTried={wasTried}
        onSave={() => void save()}
        onDiscard={discard}
        onFix={() => showFirstProblem(form.current)}
      />
    </FormProvider>
  )
}

/** After it was drawn: the first field that would be refused is opened and has the focus. */
function showFirstProblem(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
    for (let above = field?.closest('details'); above; above = above.parentElement?.closest('details'))
      above.open = true
    field?.focus()
  })
}

function useSaveKey(save: RefObject<() => Promise<void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return
      event.preventDefault()
      void save.current()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [save])
}
