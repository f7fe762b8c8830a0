/** The events that are shown, all of them, as a file: asked for page by page, with a way to stop. */
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { showProblem } from '../../kit/toast.tsx'
import { call, type Input } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { auditTexts as texts } from '../../texts/audit.ts'
import { csvOf } from './csv.ts'
import { type AuditEvent, nameOfAction } from './names.ts'

interface AuditDownloadProps {
  organizationId: string
  query: NonNullable<Input<'listOrganizationAuditEvents'>['query']>
}

type Format = 'csv' | 'json'

export function AuditDownload({ organizationId, query }: AuditDownloadProps) {
  const [progress, setProgress] = useState<{ done: number; all: number } | undefined>()
  const stop = useRef<AbortController>(undefined)
  // Nobody waits for the file any more.
  useEffect(() => () => stop.current?.abort(), [])
  const start = async (format: Format): Promise<void> => {
    const ended = new AbortController()
    stop.current = ended
    setProgress({ done: 0, all: 0 })
    try {
      const events = await readAll({ organizationId, query, signal: ended.signal, onProgress: setProgress })
      if (!ended.signal.aborted) keep(events, format)
    } catch (error) {
      if (!ended.signal.aborted) showProblem({ title: texts.failed, text: explain(error).text })
    }
    if (stop.current === ended) setProgress(undefined)
  }
  if (progress)
    return (
      <span className="ui-downloading">
        <progress
          className="ui-progress"
          aria-label={texts.download}
          {...(progress.all > 0 && { max: progress.all, value: progress.done })}
        />
        <span className="ui-hint">{texts.loading(progress.done, progress.all)}</span>
        <Button
          kind="quiet"
          className="small"
          onClick={() => {
            stop.current?.abort()
            setProgress(undefined)
          }}
        >
          {texts.cancel}
        </Button>
      </span>
    )
  return (
    <Menu
      label={texts.download}
      button={
        <button type="button" className="ui-button quiet small">
          <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          <span>{texts.download}</span>
        </button>
      }
      entries={[
        { label: texts.csv, run: () => void start('csv') },
        { label: texts.json, run: () => void start('json') },
      ]}
    />
  )
}

interface Reading extends AuditDownloadProps {
  signal: AbortSignal
  onProgress: (progress: { done: number; all: number }) => void
}

async function readAll({ organizationId, query, signal, onProgress }: Reading): Promise<AuditEvent[]> {
  const events: AuditEvent[] = []
  for (let page: string | undefined; ; ) {
    const found = await call('listOrganizationAuditEvents', {
      organizationId,
      query: { ...query, limit: 100, ...(page && { page }) },
      signal,
    })
    events.push(...found.items)
    onProgress({ done: events.length, all: found.count })
    page = found.next?.page
    if (page === undefined) return events
  }
}

const columns = ['occurredAt', 'action', 'what', 'actor', 'actorId', 'targetType', 'targetId', 'address', 'data']

const rowOf = ({ occurredAt, action, actor, target, address = '', data }: AuditEvent): string[] => [
  ...[occurredAt, action, nameOfAction(action), actor.label, actor.id, target.type, target.id, address],
  JSON.stringify(data),
]

function keep(events: readonly AuditEvent[], format: Format): void {
  const text = format === 'csv' ? csvOf([columns, ...events.map(rowOf)]) : JSON.stringify(events, null, 2)
  const type = format === 'csv' ? 'text/csv' : 'application/json'
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = `audit-log.${format}`
  link.click()
  // The browser has read it long before.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
