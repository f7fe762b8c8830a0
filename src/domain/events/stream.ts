/**
 * A stream of events for one caller: what was noted after the position they come with, then what happens.
 *
 * 1. Nothing is missed: the position is that of the last event read, in the order of commits, and each wait begins before
 *    the reading that precedes it.
 * 2. Each event is told only if the caller may see what it is about at the moment it is told.
 */
import type { z } from 'zod'
import type { StreamedEvent } from '../../contract/events.ts'
import { type EventRow, eventsAfter, lastPosition, type StreamSubject } from '../../store/events/events.ts'
import { presenceIn } from '../../store/events/presence.ts'
import type { Base } from '../handler.ts'
import { loaders, type Things } from '../things.ts'
import { pageSize } from './feed.ts'
import { audienceOf, forReaders } from './note.ts'

type ShownEvent = z.output<typeof StreamedEvent>

const beatMilliseconds = 20_000
/** Who has not been heard of for this long is gone. */
const presentMilliseconds = 30_000

export async function* followEvents(
  base: Base,
  subject: StreamSubject,
  { after, follow }: { after?: string | undefined; follow: boolean },
): AsyncGenerator<ShownEvent> {
  const { feed } = base.env
  const leave = feed.join()
  try {
    let position = after === undefined ? await lastPosition(base.db, subject) : Number(after)
    let present = '[]'
    yield { event: 'ready', id: String(position), data: {} }
    for (;;) {
      const next = feed.next()
      for (let isMore = true; isMore; ) {
        // Who does not wait for the next wake gets what is there now.
        const rows = follow
          ? await feed.read(subject, position)
          : await eventsAfter(base.db, subject, { after: position, limit: pageSize })
        isMore = rows.length === pageSize
        position = rows.at(-1)?.seq ?? position
        const sight = makeSight(base)
        for (const row of rows) {
          const seen = await sight(row)
          if (seen !== 'nothing') yield presentEvent(row, seen)
        }
      }
      const people = await peopleIn(base, subject)
      if (people === undefined) return
      if (JSON.stringify(people) !== present) {
        present = JSON.stringify(people)
        yield { event: 'presence', data: { people } }
      }
      if (!follow) return
      const happened = await firstOf(next, base.signal)
      if (happened === 'ended') return
      if (happened === 'beat') yield { event: 'beat', id: String(position), data: {} }
    }
  } finally {
    leave()
  }
}

/** Waits for the next wake, the next beat or the end, whichever comes first. */
async function firstOf(next: Promise<void>, signal: AbortSignal | undefined): Promise<'woken' | 'beat' | 'ended'> {
  if (signal?.aborted) return 'ended'
  let timer: NodeJS.Timeout | undefined
  let end = () => {}
  try {
    return await Promise.race([
      next.then(() => 'woken' as const),
      new Promise<'beat'>((resolve) => {
        timer = setTimeout(() => resolve('beat'), beatMilliseconds)
      }),
      new Promise<'ended'>((resolve) => {
        end = () => resolve('ended')
        signal?.addEventListener('abort', end)
      }),
    ])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

type Seen = 'everything' | 'as a reader' | 'nothing'

/** What the caller may see of an event; each thing is looked up once for a batch. */
function makeSight(base: Base): (row: EventRow) => Promise<Seen> {
  const seen = new Map<string, Promise<boolean>>()
  const may = (
    ability: 'view' | 'comment' | 'edit' | 'admin',
    kind: 'organization' | 'space' | 'site' | 'collection',
    id: string,
  ) => {
    const key = `${kind} ${id} ${ability}`
    const known = seen.get(key)
    if (known) return known
    const found = loaders[kind](base, id, {} as Things).then((thing) => {
      const abilities: Readonly<Partial<Record<string, boolean>>> = thing?.permissions ?? {}
      return abilities[ability] === true
    })
    seen.set(key, found)
    return found
  }
  return async (row) => {
    if (await may('admin', 'organization', row.organizationId)) return 'everything'
    const audience = audienceOf(row.action)
    if (audience === 'access') return 'nothing'
    if (row.spaceId !== null)
      return (await may(audience === 'comment' ? 'comment' : 'view', 'space', row.spaceId)) ? 'everything' : 'nothing'
    const { targetType, targetId } = row
    if (targetType !== 'site' && targetType !== 'collection') return 'nothing'
    if (!(await may('view', targetType, targetId))) return 'nothing'
    return targetType === 'collection' || (await may('edit', 'site', targetId)) ? 'everything' : 'as a reader'
  }
}

function presentEvent(row: EventRow, seen: Seen): ShownEvent {
  const data = JSON.parse(row.data)
  return {
    event: nameOf(row.action),
    id: String(row.seq),
    data: {
      action: row.action,
      by: row.actorId,
      at: row.occurredAt,
      target: { type: row.targetType, id: row.targetId },
      ...(row.spaceId === null ? {} : { space: row.spaceId }),
      ...(row.changeRequestId === null ? {} : { changeRequest: row.changeRequestId }),
      ...(seen === 'everything' ? data : forReaders(data)),
    },
  }
}

/** What a listener waits for: `content`, `comment`, `review`, `status`, or what the action is about. */
function nameOf(action: string): string {
  if (action.endsWith('_content_updated')) return 'content'
  if (action.startsWith('change_request_review')) return 'review'
  if (action.startsWith('change_request_')) return 'status'
  return action.slice(0, action.indexOf('_'))
}

/** Who is looking at what in the space or change request; undefined when the caller no longer sees it. */
async function peopleIn(base: Base, { spaceId, changeRequestId = '' }: StreamSubject) {
  if (spaceId === undefined) return []
  const space = await loaders.space(base, spaceId, {} as Things)
  if (!space?.permissions.view || space.deletedAt !== null) return undefined
  const since = new Date(Date.now() - presentMilliseconds).toISOString()
  const rows = await presenceIn(base.db, { spaceId, changeRequestId, since })
  return rows.map(({ userId, pageId, block, position }) => ({
    user: userId,
    page: pageId,
    ...(block === null ? {} : { block }),
    ...(position === null ? {} : { position }),
  }))
}
