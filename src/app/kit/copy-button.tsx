/** A button that copies. */
import { Copy } from 'lucide-react'
import { t } from '../texts/index.ts'
import { IconButton } from './button.tsx'
import { showDone } from './toast.tsx'

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
