/** The next import or export with the repository that a space has. */
import { GitCommitHorizontal, GitPullRequestArrow } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Check, TextField } from '../kit/field.tsx'
import { gitTexts as words } from '../texts/git.ts'
import type { Direction, GitInfo, Operation } from './operate.ts'

interface SyncFormProps {
  info: GitInfo
  isLocked: boolean
  isBusy: boolean
  onStart: (operation: Operation) => Promise<void>
}

export function SyncForm({ info, isLocked, isBusy, onStart }: SyncFormProps) {
  const { url = '', ref = 'main', repoProjectDirectory = '' } = info
  const [asked, ask] = useState<Direction | undefined>()
  const [force, setForce] = useState(false)
  const [message, setMessage] = useState(words.defaultMessage)
  const start = (direction: Direction): void => {
    ask(undefined)
    setForce(false)
    // Its failure is shown by the screen.
    void onStart({ direction, url, ref, folder: repoProjectDirectory, token: '', message, force }).catch(() => {})
  }
  return (
    <div className="ui-request-actions">
      {!isLocked && (
        <Button kind="primary" icon={GitPullRequestArrow} busy={isBusy} onClick={() => ask('import')}>
          {words.bringIn}
        </Button>
      )}
      <Button icon={GitCommitHorizontal} busy={isBusy} onClick={() => ask('export')}>
        {words.sendOut}
      </Button>
      <FormDialog
        open={asked !== undefined}
        onClose={() => ask(undefined)}
        title={asked === 'export' ? words.sendOut : words.bringIn}
        action={asked === 'export' ? words.send : words.bringIn}
        disabled={asked === 'export' && message.trim() === ''}
        onSubmit={() => asked && start(asked)}
      >
        {asked === 'export' && (
          <TextField
            label={words.message}
            maxLength={1000}
            value={message}
            onChange={({ target }) => setMessage(target.value)}
          />
        )}
        <Check
          label={asked === 'export' ? words.forceExport : words.forceImport}
          checked={force}
          onChange={({ target }) => setForce(target.checked)}
        />
      </FormDialog>
    </div>
  )
}
