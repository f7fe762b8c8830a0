// Pages to measure with: short ones unless others are given, in folders of twenty, so that no level grows with the space.
export const text =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

const shortPage = () => `## Part\n\n${text.repeat(5)}\n`

export async function fill(call, space, size, markdownOf = shortPage) {
  const pages = []
  // Two folders a request.
  for (let done = 0; done < size; done += 40) {
    const changes = Array.from({ length: Math.min(40, size - done) }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${done + i}`,
      ...(i % 20 === 0 ? { ref: `folder${i}` } : { into: `folder${i - (i % 20)}` }),
      document: { markdown: markdownOf(done + i) },
    }))
    const result = await call('POST', `/spaces/${space}/content`, { changes })
    pages.push(...result.changes.map((change) => change.page.id))
  }
  return pages
}
