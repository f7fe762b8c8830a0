/** Numbers and days in the words of the interface. */
import { madeOnce } from '../../kit/made-once.ts'
import { language } from '../../texts/index.ts'

const numbers = madeOnce(() => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }))
const shares = madeOnce(() => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }))
const changes = madeOnce(
  () => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0, signDisplay: 'always' }),
)
const days = madeOnce(() => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }))
const longDays = madeOnce(
  () =>
    new Intl.DateTimeFormat(language, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      timeZone: 'UTC',
    }),
)

export const inWords = (number: number): string => numbers().format(number)
export const shareInWords = (share: number): string => shares().format(share)
export const changeInWords = (share: number): string => changes().format(share)
export const dayInWords = (day: string): string => days().format(Date.parse(day))
export const longDayInWords = (day: string): string => longDays().format(Date.parse(day))
