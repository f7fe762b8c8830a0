/** A value that is to be put somewhere else: it can be read, selected and copied. */
import { Copy } from 'lucide-react'
import { t } from '../../texts/index.ts'
import { IconButton } from '../button.tsx'
import { showDone } from '../toast.tsx'

export function CopyValue({ label, value, hint }: { label: string; value: string; hint?: string }) {
  return (
    <div className="ui-copy">
      <span className="label">
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <code>{value}</code>
      <CopyButton label={`${t.common.copy}: ${label}`} value={value} />
    </div>
  )
}

/** Nothing where the browser does not let pages copy. */
export function CopyButton({ label, value }: { label: string; value: string }) {
  if (navigator.clipboard === undefined) return null
  return (
    <IconButton
      label={label}
      icon={Copy}
      onClick={() => void navigator.clipboard.writeText(value).then(() => showDone(t.common.copied))}
    />
  )
}
