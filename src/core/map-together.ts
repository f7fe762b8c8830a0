/** How many are worked on at once. */
const atOnce = 100

/**
 * What `change` makes of each, in order. Those that are worked on at once share what they ask the database for in the same
 * turn; a long list goes in parts, so that it holds a part in memory and not all.
 */
export async function mapTogether<Of, To>(items: readonly Of[], change: (item: Of) => Promise<To>): Promise<To[]> {
  const made: To[] = []
  for (let from = 0; from < items.length; from += atOnce)
    made.push(...(await Promise.all(items.slice(from, from + atOnce).map(change))))
  return made
}
