/** A dialog: a title, what is asked, and buttons. Escape and the way around it close it; focus goes back where it was. */
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, type RefObject, useRef } from 'react'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'
import { type Ariakit, useLayers } from './layers.ts'

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** Stands beside the page instead of over its middle. */
  side?: boolean
  wide?: boolean
  /** What has the focus first, in place of the button that closes. */
  initialFocus?: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Made when it is first opened, and kept, so that it can give the focus back when it closes. */
export function Dialog(props: DialogProps) {
  const wasOpen = useRef(false)
  wasOpen.current ||= props.open
  const ariakit = useLayers(props.open, props.onClose)
  return wasOpen.current && ariakit ? <MadeDialog {...props} ariakit={ariakit} /> : null
}

function MadeDialog({
  ariakit,
  open,
  onClose,
  title,
  side = false,
  wide = false,
  initialFocus,
  children,
}: DialogProps & { ariakit: Ariakit }) {
  const close = (): void => {
    // A field that is saved when it is left must be left before it is gone.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    onClose()
  }
  return (
    <ariakit.Dialog
      open={open}
      onClose={close}
      unmountOnHide
      // Messages are read, and taken back, beside a dialog too.
      getPersistentElements={() => document.querySelectorAll('.ui-toasts')}
      {...(initialFocus && { initialFocus })}
      className={side ? 'ui-dialog side' : wide ? 'ui-dialog wide' : 'ui-dialog'}
      backdrop={<div className="ui-backdrop" />}
    >
      <header className="ui-dialog-head">
        <ariakit.DialogHeading className="ui-dialog-title">{title}</ariakit.DialogHeading>
        <ariakit.DialogDismiss className="ui-icon-button" aria-label={t.common.close}>
          <X size={16} strokeWidth={1.75} aria-hidden="true" />
        </ariakit.DialogDismiss>
      </header>
      {children}
    </ariakit.Dialog>
  )
}

interface FormDialogProps extends Omit<DialogProps, 'children' | 'initialFocus'> {
  /** What the button that sends says. */
  action: string
  busy?: boolean
  disabled?: boolean
  onSubmit: () => void
  children: ReactNode
}

/** Opens in its first field, so that what is typed at once stands there. */
export function FormDialog({ action, busy = false, disabled = false, onSubmit, children, ...dialog }: FormDialogProps) {
  const firstField = useRef<HTMLElement>(null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!busy && !disabled) onSubmit()
  }
  return (
    <Dialog {...dialog} initialFocus={firstField}>
      <form
        className="ui-form"
        ref={(form) => {
          firstField.current = form?.querySelector<HTMLElement>('input, textarea, select') ?? null
        }}
        onSubmit={submit}
      >
        {children}
        <footer className="ui-dialog-foot">
          <Button kind="quiet" onClick={dialog.onClose}>
            {t.common.cancel}
          </Button>
          <Button kind="primary" type="submit" busy={busy} disabled={disabled || busy}>
            {action}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
