// A search of two words by hand, on SQLite and over the index that Lectern made: one question for the entries that have both, one for
// those with a word in the title or a heading, which come first; then the texts of fifty pages, a snippet of each, and where in it
// the words stand. No other order, no widening, no quotes, no forms of words, nothing hidden; a page is at its title.
import { inflateRawSync } from 'node:zlib'

const mostPages = 50
const mostSections = 5
/** As `store/search-index/numbers.ts` numbers entries. */
const entriesOfPage = 2 ** 12
const entriesOfSpace = 2 ** 33
const lastBlock = Uint8Array.of(3, 0)

/** Answers `GET /v1/spaces/{id}/search?query=`: JSON, or nothing when there is no such space for this user. */
export function searcher(db) {
  const spaceOf = db.statement(
    `select "searchSpace"."number" from "space" join "searchSpace" on "searchSpace"."spaceId" = "space"."id"
      join "member" on "member"."organizationId" = "space"."organizationId" and "member"."userId" = ?
      where "space"."id" = ? and "space"."deletedAt" is null`,
  )
  const numbersOf = db.statement(
    'select group_concat("number") as "numbers" from (select rowid as "number" from "searchIndex" where "searchIndex" match ? and rowid >= ? and rowid < ? order by rowid limit 20000)',
  )
  const given = `(select key, value as "number" from json_each(?) order by key) as "given"
    join "searchText" on "searchText"."number" = "given"."number"`
  const textsOf = db.statement(
    `select json_group_array(json_array("searchPage"."pageId", "searchPage"."title", "anchor", "searchText"."title")) as "texts"
      from ${given} join "searchPage" on "searchPage"."number" = "given"."number" >> 12`,
  )
  const packedOf = db.statement(`select "packed" from ${given}`)
  const entriesOf = (text, space) => {
    const { numbers } = numbersOf.one(text, space * entriesOfSpace, (space + 1) * entriesOfSpace)
    return numbers === null ? [] : JSON.parse(`[${numbers}]`)
  }

  return (user, spaceId, query) => {
    const space = spaceOf.one(user.id, spaceId)?.number
    if (space === undefined) return undefined
    const words = query.toLowerCase().split(' ')
    const [one, two] = words
    const all = entriesOf(`"${one}" AND "${two}" *`, space)
    const tags = words.flatMap((word) => [`"<${word}"`, `"^${word}"`]).join(' OR ')
    const first = new Set(entriesOf(tags, space))
    const { chosen, count } = choosePages(all, first)
    const numbers = JSON.stringify(chosen)
    const sections = JSON.parse(textsOf.one(numbers).texts)
    const packed = packedOf.all(numbers).map((row) => row.packed.subarray(1))
    const bodies = inflateRawSync(Buffer.concat([...packed, lastBlock]), { chunkSize: 128 * 1024 })
      .toString()
      .split('\0')
    return JSON.stringify({ count, items: shown(sections, bodies, { words, spaceId }) })
  }
}

/** Pages with a word in a place that counts more, then those with more entries. */
function choosePages(all, first) {
  const pages = new Map()
  for (const number of all) {
    const page = Math.floor(number / entriesOfPage)
    const known = pages.get(page)
    if (known) known.entries.push(number)
    else pages.set(page, { entries: [number], isFirst: false })
    if (first.has(number)) pages.get(page).isFirst = true
  }
  const best = [...pages.values()].sort((a, b) => b.isFirst - a.isFirst || b.entries.length - a.entries.length)
  const chosen = best.slice(0, mostPages).flatMap(({ entries }) => entries.slice(0, mostSections))
  return { chosen, count: pages.size }
}

function shown(sections, bodies, { words, spaceId }) {
  const items = []
  for (const [i, [id, title, anchor, heading]] of sections.entries()) {
    const app = `http://localhost:4000/app/s/${spaceId}/p/${id}`
    const path = title.toLowerCase().replaceAll(' ', '-')
    if (items.at(-1)?.id !== id) items.push({ id, title, path, sections: [], urls: { app } })
    items.at(-1).sections.push({
      id: anchor,
      title: heading,
      path: `${path}#${anchor}`,
      ...snippetOf(bodies[i], words),
      urls: { app: `${app}#${anchor}` },
    })
  }
  return items
}

function snippetOf(body, words) {
  const lower = body.toLowerCase()
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, body.length) - 40)
  const to = from + 200
  const highlights = []
  for (const word of words)
    for (let at = lower.indexOf(word, from); at >= 0 && at < to; at = lower.indexOf(word, at + word.length))
      highlights.push([at - from + 1, at - from + 1 + word.length])
  return { body: `…${body.slice(from, to)}…`, highlights: highlights.sort((a, b) => a[0] - b[0]) }
}
