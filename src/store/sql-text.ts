/**
 * SQL that is put together anew for each question, quickly.
 *
 * The query builder's own pieces cost a search more than the search itself. These are texts with values between them:
 * `sql` joins them, whatever it is given that is no piece becomes a parameter, and the engine gets one statement.
 */
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Connection, EngineName, Row, Statement, Value } from './database.ts'

export class Piece {
  /** One more text than there are values. */
  readonly texts: readonly string[]
  readonly values: readonly Value[]

  constructor(texts: readonly string[], values: readonly Value[]) {
    this.texts = texts
    this.values = values
  }
}

export function sql(strings: TemplateStringsArray, ...given: readonly (Piece | Value)[]): Piece {
  const texts: string[] = [strings[0] ?? '']
  const values: Value[] = []
  const say = (text: string) => {
    texts[texts.length - 1] += text
  }
  for (const [i, item] of given.entries()) {
    const behind = strings[i + 1] ?? ''
    if (item instanceof Piece) {
      say(item.texts[0] ?? '')
      texts.push(...item.texts.slice(1))
      values.push(...item.values)
      say(behind)
    } else {
      values.push(item)
      texts.push(behind)
    }
  }
  return new Piece(texts, values)
}

/** A number that is part of the statement; a name of ours. */
export const literal = (number: number): Piece => new Piece([String(number)], [])
export const named = (name: string): Piece => new Piece([`"${name}"`], [])

export const joined = (pieces: readonly Piece[], between: string): Piece =>
  pieces.slice(1).reduce((all, piece) => sql`${all}${new Piece([between], [])}${piece}`, pieces[0] ?? sql``)

export const ask = (db: Connection, piece: Piece): Promise<Row[]> => db.all(statementOf(piece, db.engine), piece.values)

const names = new LRUCache<string, string>({ max: 500 })

function statementOf({ texts }: Piece, engine: EngineName): Statement {
  const text = engine === 'sqlite' ? texts.join('?') : texts.reduce((all, next, i) => `${all}$${i}${next}`)
  let name = names.get(text)
  if (name === undefined) {
    name = `q_${createHash('sha1').update(text).digest('base64url')}`
    names.set(text, name)
  }
  return { sql: text, name }
}
