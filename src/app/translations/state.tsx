/** A translation's state as a dot and a word. A completed one may lack what could not be translated. */
import type { Output } from '../session/client.ts'
import { translationTexts as words } from '../texts/translations.ts'

export type Translation = Output<'getTranslation'>

export const isUnderWay = ({ status }: Translation): boolean => status === 'pending' || status === 'running'

const dots = { pending: 'draft', running: 'busy', completed: 'live', failed: 'bad' }

export function TranslationState({ translation: { status, error } }: { translation: Translation }) {
  const isPartly = status === 'completed' && error !== undefined
  return (
    <span className="ui-state" data-state={isPartly ? 'bad' : dots[status]}>
      {isPartly ? words.states.partly : words.states[status]}
    </span>
  )
}
