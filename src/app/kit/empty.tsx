/** What stands where nothing is yet: what this place is for, and the first thing to do. Also waiting and failing. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { explain } from '../session/errors.ts'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'

export function Empty({
  icon: Icon,
  title,
  text,
  children,
}: {
  icon?: LucideIcon
  title: string
  text?: string
  children?: ReactNode
}) {
  return (
    <div className="ui-empty">
      {Icon && <Icon size={28} strokeWidth={1.25} aria-hidden="true" />}
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children && <div className="ui-empty-actions">{children}</div>}
    </div>
  )
}

/** The shape of what is coming; it appears only when the answer takes longer than people notice. */
export const Waiting = ({ lines = 5 }: { lines?: number }) => (
  <div className="ui-waiting" aria-busy="true" role="status">
    <span className="sr">{t.common.loading}</span>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} className="ui-skeleton" data-line={line % 4} aria-hidden="true" />
    ))}
  </div>
)

export function Failed({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { title, text } = explain(error)
  return (
    <div className="ui-empty" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {onRetry && (
        <div className="ui-empty-actions">
          <Button onClick={onRetry}>{t.common.retry}</Button>
        </div>
      )}
    </div>
  )
}

/** One of the three states of an answer. */
export function Loaded<T>({
  query,
  lines,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  lines?: number
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed error={query.error} onRetry={() => query.refetch()} />
  return <Waiting lines={lines ?? 5} />
}
