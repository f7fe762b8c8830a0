/** A field with the button that sends it, and a text that can be copied. */
import { Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { CheckedField } from '../../kit/forms/checked-field.tsx'
import { showDone } from '../../kit/toast.tsx'
import { t } from '../../texts/index.ts'

interface OneFieldProps {
  label: string
  hint: ReactNode
  value: string
  maxLength: number
  action: string
  busy: boolean
  problem: string | undefined
  /** What was wrong may be right now. */
  onChange: () => void
  onSend: (text: string) => void
}

export function OneField({ label, hint, value, maxLength, action, busy, problem, onChange, onSend }: OneFieldProps) {
  const [text, setText] = useState(value)
  const isSame = text.trim() === value
  return (
    <form
      className="ui-with-button"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSame && !busy) onSend(text.trim())
      }}
    >
      <CheckedField
        label={label}
        hint={hint}
        maxLength={maxLength}
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        problem={problem}
        onChange={({ target }) => {
          setText(target.value)
          onChange()
        }}
      />
      <Button type="submit" busy={busy} disabled={busy || isSame}>
        {action}
      </Button>
    </form>
  )
}

export const CopyText = ({ label, text }: { label: string; text: string }) => (
  <span className="ui-copied">
    <code>{text}</code>
    {navigator.clipboard !== undefined && (
      <IconButton
        label={label}
        icon={Copy}
        onClick={() => void navigator.clipboard.writeText(text).then(() => showDone(t.common.copied))}
      />
    )}
  </span>
)
