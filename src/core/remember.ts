/** A function of text that remembers what it made, for a bounded number of texts: what comes once comes again. */
export function remembering<V>(most: number, make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>()
  return (text) => {
    const remembered = known.get(text)
    if (remembered !== undefined) return remembered
    if (known.size >= most) known.clear()
    const made = make(text)
    known.set(text, made)
    return made
  }
}
