/** Which repository a space is kept in step with. A token that is typed here is sent once and not kept on the screen. */
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Check, TextField } from '../kit/field.tsx'
import { Choices } from '../kit/forms/choices.tsx'
import { FieldProblem } from '../kit/forms/problem.tsx'
import { gitTexts as words } from '../texts/git.ts'
import { type Direction, type GitInfo, isRepositoryAddress, type Operation, withoutCredentials } from './operate.ts'

interface RepositoryFormProps {
  info: GitInfo | undefined
  isLocked: boolean
  isBusy: boolean
  onStart: (operation: Operation) => Promise<void>
}

export function RepositoryForm(props: RepositoryFormProps) {
  if (props.info?.url === undefined) return <Fields {...props} />
  return (
    <details className="ui-more-fields">
      <summary>{words.change}</summary>
      <Fields {...props} />
    </details>
  )
}

function Fields({ info, isLocked, isBusy, onStart }: RepositoryFormProps) {
  const [direction, setDirection] = useState<Direction>(isLocked ? 'export' : 'import')
  const [url, setUrl] = useState(info?.url ?? '')
  const [ref, setRef] = useState(info?.ref ?? 'main')
  const [folder, setFolder] = useState(info?.repoProjectDirectory ?? '')
  const [token, setToken] = useState('')
  const [message, setMessage] = useState(words.defaultMessage)
  const [force, setForce] = useState(false)
  const [problems, setProblems] = useState<{ url?: string; ref?: string }>({})
  const form = useRef<HTMLFormElement>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isBusy) return
    const found = {
      ...(isRepositoryAddress(url.trim()) ? {} : { url: words.wrongAddress }),
      ...(ref.trim() === '' ? { ref: words.noBranch } : {}),
    }
    setProblems(found)
    if (Object.keys(found).length > 0) {
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
      return
    }
    setToken('')
    setUrl(withoutCredentials(url.trim()))
    // Its failure is shown by the screen.
    void onStart({
      direction,
      url: url.trim(),
      ref: ref.trim(),
      folder: folder.trim(),
      token: token.trim(),
      message: message.trim() || words.defaultMessage,
      force,
    }).catch(() => {})
  }
  return (
    <form ref={form} className="ui-form" noValidate onSubmit={submit}>
      <Choices
        label={words.direction}
        value={direction}
        options={(['import', 'export'] as const).map((value) => ({
          value,
          label: words.directions[value],
          hint: words.directionHints[value],
          disabled: value === 'import' && isLocked,
        }))}
        onChange={setDirection}
      />
      <TextField
        label={words.address}
        inputMode="url"
        placeholder="https://"
        maxLength={2048}
        value={url}
        aria-invalid={problems.url !== undefined}
        hint={
          <>
            <FieldProblem text={problems.url} /> {words.addressHint}
          </>
        }
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        label={words.branch}
        maxLength={250}
        value={ref}
        aria-invalid={problems.ref !== undefined}
        hint={problems.ref && <FieldProblem text={problems.ref} />}
        onChange={({ target }) => setRef(target.value)}
      />
      <TextField
        label={words.folder}
        hint={words.folderHint}
        maxLength={500}
        value={folder}
        onChange={({ target }) => setFolder(target.value)}
      />
      <TextField
        label={words.token}
        hint={words.tokenHint}
        type="password"
        autoComplete="new-password"
        maxLength={500}
        value={token}
        onChange={({ target }) => setToken(target.value)}
      />
      {direction === 'export' && (
        <TextField
          label={words.message}
          maxLength={1000}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
        />
      )}
      {info && (
        <Check
          label={direction === 'export' ? words.forceExport : words.forceImport}
          checked={force}
          onChange={({ target }) => setForce(target.checked)}
        />
      )}
      <div className="ui-request-actions">
        <Button kind={info?.url === undefined ? 'primary' : 'plain'} type="submit" busy={isBusy}>
          {words.connect}
        </Button>
      </div>
    </form>
  )
}
