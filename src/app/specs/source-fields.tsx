/** Where a spec comes from: an address, a file of this device, or text that is pasted. What cannot be one is refused here. */
import { FileUp } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button } from '../kit/button.tsx'
import { TextArea, TextField } from '../kit/field.tsx'
import { Choices } from '../kit/forms/choices.tsx'
import { FieldProblem } from '../kit/forms/problem.tsx'
import { specTexts as words } from '../texts/specs.ts'

export interface SourceGiven {
  origin: 'url' | 'file' | 'text'
  url: string
  file: File | undefined
  text: string
}

export const noSource: SourceGiven = { origin: 'url', url: '', file: undefined, text: '' }

/** What the API takes. */
const mostBytes = 10 * 1024 * 1024

/** Why it cannot be sent, if it cannot. */
export function refusalOf({ origin, url, file, text }: SourceGiven): string | undefined {
  if (origin === 'url') return /^https?:\/\/\S+$/i.test(url.trim()) ? undefined : words.wrongAddress
  if (origin === 'text') return text.trim() === '' ? words.noText : text.length > mostBytes ? words.tooLarge : undefined
  if (!file) return words.noFile
  if (!/\.(json|ya?ml|txt)$/i.test(file.name)) return words.wrongKind(file.name)
  return file.size > mostBytes ? words.tooLarge : undefined
}

export async function sourceOf({ origin, url, file, text }: SourceGiven): Promise<{ url: string } | { text: string }> {
  if (origin === 'url') return { url: url.trim() }
  return { text: origin === 'file' && file ? await file.text() : text }
}

interface SourceFieldsProps {
  value: SourceGiven
  problem: string | undefined
  onChange: (change: Partial<SourceGiven>) => void
}

export function SourceFields({ value, problem, onChange }: SourceFieldsProps) {
  const { origin, url, file, text } = value
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const wrong = problem && <FieldProblem text={problem} />
  return (
    <>
      <Choices
        label={words.from}
        value={origin}
        options={(['url', 'file', 'text'] as const).map((own) => ({
          value: own,
          label: words.origins[own],
          hint: words.originHints[own],
        }))}
        onChange={(next) => onChange({ origin: next })}
      />
      {origin === 'url' && (
        <TextField
          label={words.address}
          inputMode="url"
          placeholder="https://"
          maxLength={2048}
          value={url}
          aria-invalid={problem !== undefined}
          hint={
            <>
              {wrong} {words.addressHint}
            </>
          }
          onChange={({ target }) => onChange({ url: target.value })}
        />
      )}
      {origin === 'file' && (
        <div className="ui-field" role="group" aria-labelledby={id}>
          <label id={id} htmlFor={`${id}-file`}>
            {words.file}
          </label>
          <div className="ui-drop">
            {file && <p role="status">{file.name}</p>}
            <Button icon={FileUp} aria-invalid={problem !== undefined} onClick={() => field.current?.click()}>
              {words.chooseFile}
            </Button>
          </div>
          {wrong}
          <input
            ref={field}
            id={`${id}-file`}
            type="file"
            hidden
            accept=".json,.yaml,.yml,.txt"
            onChange={({ target }) => {
              onChange({ file: target.files?.[0] })
              target.value = ''
            }}
          />
        </div>
      )}
      {origin === 'text' && (
        <TextArea
          label={words.text}
          className="ui-code-field"
          rows={8}
          dir="ltr"
          spellCheck={false}
          value={text}
          aria-invalid={problem !== undefined}
          hint={wrong}
          onChange={({ target }) => onChange({ text: target.value })}
        />
      )}
    </>
  )
}
