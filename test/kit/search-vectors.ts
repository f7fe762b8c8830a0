/** On PostgreSQL, the entries of the search index as earlier versions stored them: vectors in a table of their own. */
import type { Connection } from '../../src/store/database.ts'

export async function storeVectors(tx: Connection): Promise<void> {
  const rows = await tx.all({ name: '', sql: `select "number", "words", "tags" from "searchText"` }, [])
  for (const { number, words, tags } of rows) {
    if (words === null) continue
    const vector = vectorText(String(words).split(' '), String(tags).split(' '))
    await tx.run({ name: '', sql: `insert into "searchIndex" values ($1, $2::tsvector)` }, [Number(number), vector])
  }
  await tx.run({ name: '', sql: `update "searchText" set "words" = null, "tags" = null` }, [])
}

export async function countVectors(db: Connection): Promise<number> {
  return Number((await db.all({ name: '', sql: `select count(*) as "n" from "searchIndex"` }, []))[0]?.n)
}

/** The words with their positions, the tags without. */
function vectorText(words: readonly string[], tags: readonly string[]): string {
  const positions = new Map<string, number[]>()
  for (const [i, word] of words.entries())
    if (word !== '~') positions.set(word, [...(positions.get(word) ?? []), i + 1])
  const placed = [...positions].map(([word, at]) => `${quoted(word)}:${at.join(',')}`)
  return [...placed, ...tags.filter((tag) => !positions.has(tag)).map(quoted)].join(' ')
}

const quoted = (word: string): string => `'${word.replace(/['\\]/g, '$&$&')}'`
