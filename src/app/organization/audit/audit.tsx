/** What happened in the organization: who did what, when and from where, newest first. */
import { ScrollText, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Empty, Loaded } from '../../kit/empty.tsx'
import { Select, TextField } from '../../kit/field.tsx'
import { MoreButton } from '../../kit/lists/more-button.tsx'
import { type Input, useCall } from '../../session/client.ts'
import { useLongList } from '../../session/long-list.ts'
import { auditTexts as texts } from '../../texts/audit.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'
import { AuditDownload } from './download.tsx'
import { EventRow } from './event-row.tsx'
import { type Named, nameOfAction, useNames } from './names.ts'

interface Filters {
  action: string
  actor: Named | undefined
  target: Named | undefined
  /** Days, as this browser counts them. */
  from: string
  to: string
}

const everything: Filters = { action: '', actor: undefined, target: undefined, from: '', to: '' }

export function AuditLog({ organization }: PartOfOrganization) {
  const organizationId = organization.id
  const [filters, setFilters] = useState(everything)
  const narrow = (by: Partial<Filters>): void => setFilters({ ...filters, ...by })
  const query = queryOf(filters)
  const events = useLongList('listOrganizationAuditEvents', { organizationId, query })
  const names = useNames(organizationId)
  const isNarrowed = Object.values(filters).some(Boolean)
  return (
    <>
      <FilterFields organizationId={organizationId} filters={filters} people={names.people} onNarrow={narrow} />
      <div className="ui-filters-set">
        <p className="ui-hint" role="status">
          {events.data && texts.count(events.data.count)}
        </p>
        {filters.target && (
          <Button kind="quiet" className="small" icon={X} onClick={() => narrow({ target: undefined })}>
            {texts.onlyAbout(filters.target.name)}
          </Button>
        )}
        {isNarrowed && (
          <Button kind="quiet" className="small" onClick={() => setFilters(everything)}>
            {texts.clear}
          </Button>
        )}
        <AuditDownload organizationId={organizationId} query={query} />
      </div>
      <Loaded query={events}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ScrollText} title={texts.emptyTitle} text={texts.emptyText} />
          ) : (
            <ul className="ui-list">
              {items.map((event) => (
                <EventRow
                  key={event.id}
                  event={event}
                  names={names}
                  organizationId={organizationId}
                  onActor={(actor) => narrow({ actor })}
                  onTarget={(target) => narrow({ target })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      <MoreButton list={events} />
    </>
  )
}

interface FilterFieldsProps {
  organizationId: string
  filters: Filters
  people: readonly Named[]
  onNarrow: (by: Partial<Filters>) => void
}

function FilterFields({ organizationId, filters, people, onNarrow }: FilterFieldsProps) {
  const actions = useCall(
    'listOrganizationAuditEventActions',
    { organizationId },
    { staleTime: Number.POSITIVE_INFINITY },
  )
  const { actor } = filters
  // Whoever is no member any more has done things, too.
  const everyone = actor && !people.some(({ id }) => id === actor.id) ? [actor, ...people] : people
  return (
    <div className="ui-filters">
      <Select
        label={texts.action}
        value={filters.action}
        onChange={({ target }) => onNarrow({ action: target.value })}
        options={[
          { value: '', label: texts.anyAction },
          ...(actions.data?.items ?? []).map((value) => ({ value, label: nameOfAction(value) })),
        ]}
      />
      <Select
        label={texts.person}
        value={actor?.id ?? ''}
        onChange={({ target }) => onNarrow({ actor: everyone.find(({ id }) => id === target.value) })}
        options={[{ value: '', label: texts.anyone }, ...everyone.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <TextField
        label={texts.from}
        type="date"
        value={filters.from}
        onChange={({ target }) => onNarrow({ from: target.value })}
      />
      <TextField
        label={texts.to}
        type="date"
        value={filters.to}
        onChange={({ target }) => onNarrow({ to: target.value })}
      />
    </div>
  )
}

function queryOf({
  action,
  actor,
  target,
  from,
  to,
}: Filters): NonNullable<Input<'listOrganizationAuditEvents'>['query']> {
  const first = startOf(from)
  const last = startOf(to, 1)
  return {
    ...(action && { action }),
    ...(actor && { actor: actor.id }),
    ...(target && { target: target.id }),
    ...(first && { from: first }),
    ...(last && { to: last }),
  }
}

/** When a day begins where this browser is, or one that comes so many days later. */
function startOf(day: string, later = 0): string | undefined {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const time = new Date(year, month - 1, date + later)
  return day === '' || year < 1000 || Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
