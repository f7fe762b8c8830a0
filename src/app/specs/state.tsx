/** A spec's state as a dot and a word. One that could not be read last keeps its last good version, and has errors. */
import type { Output } from '../session/client.ts'
import { specTexts as words } from '../texts/specs.ts'

export type Spec = Output<'getOpenAPISpecBySlug'>

export const isBeingRead = ({ processingState }: Spec): boolean => processingState !== 'complete'

export function SpecState({ spec }: { spec: Spec }) {
  const isBad = !isBeingRead(spec) && spec.lastProcessErrorCode !== undefined
  const dot = isBad ? 'bad' : { pending: 'draft', progress: 'busy', complete: 'live' }[spec.processingState]
  return (
    <span className="ui-state" data-state={dot}>
      {isBad ? words.states.bad : words.states[spec.processingState]}
    </span>
  )
}
