/** The few words that a book prints by itself, in the languages that sites speak. */
import type { BookWords } from '../../core/book/book.ts'

type Words = [contents: string, page: string, info: string, warning: string, danger: string, success: string]

const english: Words = ['Contents', 'p.', 'Note', 'Warning', 'Danger', 'Tip']

const words: Record<string, Words> = {
  de: ['Inhalt', 'S.', 'Hinweis', 'Warnung', 'Gefahr', 'Tipp'],
  fr: ['Table des matières', 'p.', 'Note', 'Attention', 'Danger', 'Conseil'],
  es: ['Contenido', 'pág.', 'Nota', 'Atención', 'Peligro', 'Consejo'],
  pt: ['Conteúdo', 'p.', 'Nota', 'Atenção', 'Perigo', 'Dica'],
  nl: ['Inhoud', 'p.', 'Opmerking', 'Waarschuwing', 'Gevaar', 'Tip'],
  no: ['Innhold', 's.', 'Merk', 'Advarsel', 'Fare', 'Tips'],
  ru: ['Содержание', 'с.', 'Примечание', 'Внимание', 'Опасно', 'Совет'],
  ja: ['目次', 'p.', '注', '警告', '危険', 'ヒント'],
  zh: ['目录', 'p.', '注意', '警告', '危险', '提示'],
}

export function bookWords(language: string): BookWords {
  const [contents, page, info, warning, danger, success] = words[language.slice(0, 2)] ?? english
  return { contents, page, hints: { info, warning, danger, success } }
}

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv'])

export const directionOf = (language: string): 'ltr' | 'rtl' => (rightToLeft.has(language.slice(0, 2)) ? 'rtl' : 'ltr')

export function dateIn(language: string, now: string): string {
  try {
    return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(now))
  } catch {
    return now.slice(0, 10)
  }
}
