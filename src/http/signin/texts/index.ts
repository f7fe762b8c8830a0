/** The texts of the sign-in pages in the language that the browser asks for first, of those there are. */
import type { FastifyRequest } from 'fastify'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

export type { Texts } from './texts.ts'

const languages: ReadonlyMap<string, Texts> = new Map([
  ['en', en],
  ['de', de],
])

export const textsFor = ({ headers }: FastifyRequest): Texts => textsIn(headers['accept-language'] ?? '')

/** By a value of Accept-Language, such as `de-CH, en;q=0.8`. */
export function textsIn(accepted: string): Texts {
  const asked = accepted.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    return { language: range.split('-', 1)[0]?.toLowerCase() ?? '', weight: weight === undefined ? 1 : Number(weight) }
  })
  const [first] = asked
    .filter(({ language, weight }) => languages.has(language) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  return languages.get(first?.language ?? 'en') ?? en
}
