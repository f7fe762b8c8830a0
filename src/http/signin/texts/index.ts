/** The texts of the sign-in pages in the language of whoever reads them. */
import type { FastifyRequest } from 'fastify'
import { type Language, languageFor } from '../../edge/language.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import type { Texts } from './texts.ts'

export type { Texts } from './texts.ts'

const texts: Readonly<Record<Language, Texts>> = { en, de }

export const textsFor = ({ headers }: FastifyRequest): Texts => texts[languageFor(headers)]
