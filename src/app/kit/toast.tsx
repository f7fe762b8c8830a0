/** Short messages at the edge of the screen: what happened, and a way to take it back. Problems stay until they are closed. */
import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { t } from '../texts/index.ts'

interface Toast {
  id: number
  title: string
  text?: string | undefined
  problem: boolean
  action?: { label: string; run: () => void } | undefined
}

const showMilliseconds = 8_000
let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Answers with its number. */
export const showDone = (title: string, action?: Toast['action']): number => {
  const id = add({ title, action, problem: false })
  setTimeout(closeMessage, showMilliseconds, id)
  return id
}

/** Answers with its number; one that is shown already stays. */
export const showProblem = ({ title, text }: { title: string; text?: string }, action?: Toast['action']): number =>
  toasts.find((toast) => toast.title === title && toast.text === text)?.id ??
  add({ title, text, action, problem: true })

function add(toast: Omit<Toast, 'id'>): number {
  lastId += 1
  set([...toasts.slice(-3), { ...toast, id: lastId }])
  return lastId
}

export const closeMessage = (id: number): void => set(toasts.filter((toast) => toast.id !== id))

function set(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <section className="ui-toasts" aria-label={t.common.messages} aria-live="polite">
      {shown.map(({ id, title, text, problem, action }) => (
        <div key={id} className={problem ? 'ui-toast problem' : 'ui-toast'} role={problem ? 'alert' : undefined}>
          <div>
            <strong>{title}</strong>
            {text && <p>{text}</p>}
          </div>
          {action && (
            <button
              type="button"
              className="ui-button quiet"
              onClick={() => {
                action.run()
                closeMessage(id)
              }}
            >
              <span>{action.label}</span>
            </button>
          )}
          <button type="button" className="ui-icon-button" aria-label={t.common.close} onClick={() => closeMessage(id)}>
            <X size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        </div>
      ))}
    </section>
  )
}
