/** What is not saved yet, and what may stand in its way: fields that would be refused, and what somebody else changed too. */
import { Button } from '../../kit/button.tsx'
import { customizationTexts } from '../../texts/customization.ts'
import { t } from '../../texts/index.ts'
import type { Draft } from './draft.ts'

const texts = customizationTexts.bar
const parts: Readonly<Record<string, string>> = customizationTexts.parts

interface SaveBarProps {
  draft: Draft
  wasTried: boolean
  onSave: () => void
  onDiscard: () => void
  onFix: () => void
}

export function SaveBar({ draft, wasTried, onSave, onDiscard, onFix }: SaveBarProps) {
  const { changed, problems, clashes, isSaving, isRestored } = draft
  if (changed.length === 0) return null
  const isWrong = wasTried && problems.size > 0
  return (
    <section className="customization-bar" aria-label={texts.label}>
      <div role={isWrong || clashes.length > 0 ? 'alert' : 'status'}>
        {clashes.length > 0 ? (
          <>
            <p>
              <strong>{texts.clash}</strong> {namesOf(clashes)}.
            </p>
            <p className="ui-hint">{texts.clashText}</p>
          </>
        ) : isWrong ? (
          <>
            <p>
              <strong>{texts.problems(problems.size)}</strong>
            </p>
            <ul>
              {[...new Set(problems.values())].slice(0, 5).map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <p>
              <strong>{texts.changes(changed.length)}</strong>
            </p>
            <p className="ui-hint">{isRestored ? `${texts.restored} ${texts.onDevice}` : texts.onDevice}</p>
          </>
        )}
      </div>
      <div className="customization-bar-actions">
        {clashes.length > 0 ? (
          <Button kind="quiet" onClick={draft.takeTheirs}>
            {texts.theirs}
          </Button>
        ) : (
          <>
            {isWrong && (
              <Button kind="quiet" onClick={onFix}>
                {texts.fix}
              </Button>
            )}
            <Button kind="quiet" disabled={isSaving} onClick={onDiscard}>
              {texts.discard}
            </Button>
          </>
        )}
        <Button kind="primary" busy={isSaving} onClick={onSave}>
          {clashes.length > 0 ? texts.mine : t.common.save}
        </Button>
      </div>
    </section>
  )
}

const namesOf = (paths: readonly string[]): string =>
  [...new Set(paths.map((path) => parts[path.split('.')[0] ?? ''] ?? path))].join(', ')
