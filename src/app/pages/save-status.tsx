/** What became of the last words, always in words. */

import { madeOnce } from '../kit/made-once.ts'
import { isSignedOut } from '../session/signed-out.ts'
import { language, t } from '../texts/index.ts'
import type { SaveStatus } from './save-state.ts'

const clock = madeOnce(() => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' }))

export const SaveState = ({ status }: { status: SaveStatus | undefined }) => (
  <div className="ui-save" role="status" data-kind={status?.kind}>
    {status && wordsOf(status)}
  </div>
)

function wordsOf(status: SaveStatus): string {
  switch (status.kind) {
    case 'saved':
      return status.at === undefined ? t.save.savedPlain : t.save.saved(clock().format(new Date(status.at)))
    case 'saving':
      return t.save.saving
    case 'offline':
      if (isSignedOut()) return t.save.signedOut
      return status.edits === undefined || status.since === undefined
        ? t.save.offlinePlain
        : t.save.offline(status.edits, clock().format(status.since))
    case 'conflict':
      return t.save.conflict
    default:
      if (status.isGone) return t.save.gone
      return status.message === undefined ? t.save.error : `${t.save.error}: ${status.message}`
  }
}
