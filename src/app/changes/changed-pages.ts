/** Which pages a change request adds or changes, for the badges of the tree. */
export function changedPages(
  changes: readonly { type: string; page?: { id: string } | undefined }[],
): ReadonlyMap<string, 'added' | 'changed'> {
  const found = new Map<string, 'added' | 'changed'>()
  for (const { type, page } of changes) {
    if (!page || type === 'page_deleted') continue
    if (type === 'page_created') found.set(page.id, 'added')
    else if (!found.has(page.id)) found.set(page.id, 'changed')
  }
  return found
}
