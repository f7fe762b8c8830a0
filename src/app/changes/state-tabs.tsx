/** A row of states to choose one from. */
import { changesTexts } from '../texts/changes.ts'
import { t } from '../texts/index.ts'

export type Status = 'all' | 'draft' | 'open' | 'merged' | 'archived'
const states: readonly Status[] = ['all', 'open', 'draft', 'merged', 'archived']

export const StateTabs = ({ status, onChoose }: { status: Status; onChoose: (status: Status) => void }) => (
  <div className="ui-tabs" role="group" aria-label={changesTexts.title}>
    {states.map((state) => (
      <button
        key={state}
        type="button"
        className="ui-tab"
        aria-pressed={state === status}
        onClick={() => onChoose(state)}
      >
        {state === 'all' ? t.common.all : changesTexts.states[state]}
      </button>
    ))}
  </div>
)
