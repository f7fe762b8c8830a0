// Pages to measure with: short ones, in folders of twenty, so that no level grows with the space.
export const text =
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore. '

export async function fill(call, space, size) {
  const pages = []
  // Two folders a request.
  for (let done = 0; done < size; done += 40) {
    const changes = Array.from({ length: Math.min(40, size - done) }, (_, i) => ({
      operation: 'insert_page',
      title: `Page ${done + i}`,
      ...(i % 20 === 0 ? { ref: `folder${i}` } : { into: `folder${i - (i % 20)}` }),
      document: { markdown: `## Part\n\n${text.repeat(5)}\n` },
    }))
    const result = await call('POST', `/spaces/${space}/content`, { changes })
    pages.push(...result.changes.map((change) => change.page.id))
  }
  return pages
}
