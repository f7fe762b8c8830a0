/** One event of the log: a line, and behind it all that was noted. */
import { ChevronDown } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../../frame/paths.ts'
import { Button } from '../../kit/button.tsx'
import { When } from '../../kit/when.tsx'
import { auditTexts as texts } from '../../texts/audit.ts'
import { language } from '../../texts/index.ts'
import {
  type AuditEvent,
  type Named,
  type Names,
  nameOfAction,
  nameOfActor,
  nameOfCredential,
  nameOfTarget,
} from './names.ts'

interface EventRowProps {
  event: AuditEvent
  names: Names
  organizationId: string
  onActor: (actor: Named) => void
  onTarget: (target: Named) => void
}

export function EventRow({ event, names, organizationId, onActor, onTarget }: EventRowProps) {
  const { occurredAt, target, actor, credential, address } = event
  const targetName = nameOfTarget(event, names)
  const actorName = nameOfActor(event)
  const href = addressOf(event, organizationId)
  return (
    <li>
      <details className="ui-fold ui-event">
        <summary className="ui-row ui-person">
          <span className="title">
            {nameOfAction(event.action)}
            {targetName && target.id !== actor.id && <small>{targetName}</small>}
          </span>
          <span className="meta">{actorName}</span>
          <span className="meta">
            <When time={occurredAt} />
          </span>
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
        </summary>
        <div className="ui-event-details">
          <dl className="ui-facts">
            <dt>{texts.time}</dt>
            <dd>{exact.format(new Date(occurredAt))}</dd>
            <dt>{texts.by}</dt>
            <dd>
              {actorName} <code>{actor.id}</code>
            </dd>
            {credential && (
              <>
                <dt>{texts.known}</dt>
                <dd>
                  {nameOfCredential(credential.type)} <code>{credential.id}</code>
                </dd>
              </>
            )}
            {address && (
              <>
                <dt>{texts.address}</dt>
                <dd>{address}</dd>
              </>
            )}
            <dt>{texts.about}</dt>
            <dd>
              {targetName} <code>{target.id}</code>
            </dd>
            <OtherData data={event.data} names={names} />
          </dl>
          <Changes data={event.data} names={names} />
          <div className="ui-request-actions">
            {href && (
              <Link className="ui-button plain small" href={href}>
                {texts.open}
              </Link>
            )}
            {actor.type === 'user' && (
              <Button className="small" onClick={() => onActor({ id: actor.id, name: actorName })}>
                {texts.onlyThisPerson}
              </Button>
            )}
            <Button className="small" onClick={() => onTarget({ id: target.id, name: targetName ?? target.id })}>
              {texts.onlyThis}
            </Button>
          </div>
        </div>
      </details>
    </li>
  )
}

const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' })

const addressOf = ({ target: { type, id }, data }: AuditEvent, organizationId: string): string | undefined => {
  if (type === 'space') return paths.space(id)
  if (type === 'site') return paths.site(id)
  if (type === 'team') return paths.team(organizationId, id)
  if (type === 'member') return paths.members(organizationId)
  if (type === 'collection') return paths.peopleOfCollection(id)
  return typeof data.space === 'string' ? paths.space(data.space) : undefined
}

/** What was replaced, field by field. */
function Changes({ data: { before, after }, names }: { data: AuditEvent['data']; names: Names }) {
  if (!isRecord(before) && !isRecord(after)) return null
  const old = isRecord(before) ? before : {}
  const now = isRecord(after) ? after : {}
  const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  if (fields.length === 0) return null
  return (
    <div className="ui-scroll">
      <table className="ui-table">
        <thead>
          <tr>
            <th scope="col">{texts.field}</th>
            <th scope="col">{texts.before}</th>
            <th scope="col">{texts.after}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">
                <code>{field}</code>
              </th>
              <td>{inWords(old[field], names)}</td>
              <td>{inWords(now[field], names)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const OtherData = ({ data, names }: { data: AuditEvent['data']; names: Names }) =>
  Object.entries(data)
    .filter(([name]) => name !== 'before' && name !== 'after')
    .map(([name, value]) => (
      <div key={name}>
        <dt>
          <code>{name}</code>
        </dt>
        <dd>{inWords(value, names)}</dd>
      </div>
    ))

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Lists and records in a line; ids by the names that they have. */
function inWords(value: unknown, names: Names): string {
  if (value === undefined || value === null || value === '') return texts.none
  if (typeof value === 'string') return names.of(value) ?? value
  if (Array.isArray(value)) return value.map((one) => inWords(one, names)).join(isRecord(value[0]) ? ' · ' : ', ')
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${names.of(name) ?? name}: ${inWords(part, names)}`)
    .join(', ')
}
