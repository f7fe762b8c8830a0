/** Signing out. Where words are on this device only, it is asked what becomes of them. */
import { useState } from 'react'
import { countDrafts, discardDrafts } from '../comments/drafts.ts'
import { Button } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { discardFields, pagesWithFields } from '../pages/kept-fields.ts'
import { discardEdits, pagesWithEdits } from '../saving/journal-database.ts'
import { call, useAction } from '../session/client.ts'
import { goAfterSignOut } from '../session/leaving.ts'
import { forgetPerson } from '../session/person.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'

/** A save that is on its way is over by then. */
const savingMilliseconds = 1_500

interface Unsent {
  comments: number
  pages: number
}

export function useSignOut() {
  const { user } = useSession()
  const [unsent, setUnsent] = useState<Unsent | undefined>()
  const leave = useAction(
    async ({ discard }: { discard: boolean }) => {
      await call('deleteCurrentSession', {})
      if (discard) {
        discardDrafts(user.id)
        discardFields(user.id)
        await discardEdits(user.id)
      }
    },
    {
      onDone: () => {
        goAfterSignOut()
        forgetPerson()
      },
    },
  )
  const start = async (): Promise<void> => {
    let found = await findUnsent(user.id)
    if (found.pages > 0) {
      await new Promise((resolve) => setTimeout(resolve, savingMilliseconds))
      found = await findUnsent(user.id)
    }
    if (found.comments + found.pages > 0) setUnsent(found)
    else leave.mutate({ discard: false })
  }
  const dialog = (
    <Dialog open={unsent !== undefined} onClose={() => setUnsent(undefined)} title={t.signOut.title}>
      {unsent && (
        <div className="ui-form">
          <ul className="ui-unsent">
            {unsent.pages > 0 && <li>{t.signOut.pages(unsent.pages)}</li>}
            {unsent.comments > 0 && <li>{t.signOut.comments(unsent.comments)}</li>}
          </ul>
          <p>{t.signOut.text}</p>
          <footer className="ui-dialog-foot">
            <Button kind="quiet" onClick={() => setUnsent(undefined)}>
              {t.signOut.stay}
            </Button>
            <Button kind="danger" busy={leave.isPending} onClick={() => leave.mutate({ discard: true })}>
              {t.signOut.discard}
            </Button>
            <Button kind="primary" busy={leave.isPending} onClick={() => leave.mutate({ discard: false })}>
              {t.signOut.keep}
            </Button>
          </footer>
        </div>
      )}
    </Dialog>
  )
  return { start, dialog }
}

async function findUnsent(user: string): Promise<Unsent> {
  const pages = new Set([...(await pagesWithEdits(user)), ...pagesWithFields(user)])
  return { comments: countDrafts(user), pages: pages.size }
}
