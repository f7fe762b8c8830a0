/** Times as people say them, with the exact one on hover. */
import { language, t } from '../texts/index.ts'
import { madeOnce } from './made-once.ts'

const relative = madeOnce(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' }))
const exact = madeOnce(() => new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }))
const day = madeOnce(() => new Intl.DateTimeFormat(language, { dateStyle: 'medium' }))

const steps: readonly [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [7 * 86_400, 86_400, 'day'],
]

function ago(time: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(time) - now) / 1000)
  if (Math.abs(seconds) < 60) return t.common.justNow
  const step = steps.find(([limit]) => Math.abs(seconds) < limit)
  return step ? relative().format(Math.round(seconds / step[1]), step[2]) : day().format(new Date(time))
}

export const When = ({ time }: { time: string }) => (
  <time dateTime={time} title={exact().format(new Date(time))}>
    {ago(time)}
  </time>
)
