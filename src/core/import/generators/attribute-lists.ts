/**
 * Attribute lists of MkDocs, `[Start](a.md){ .md-button }` and `{: #id }`: classes, ids and sizes for its own look. They are
 * no words, so they go.
 */

/** What can stand in one. */
const item = /^(?:[.#][\w:-]+|[\w-]+=(?:"[^"{}]*"|'[^'{}]*'|[^\s"'{}]+))$/

export function withoutAttributeLists(markdown: string): string {
  let fence = ''
  const lines = markdown.split('\n').map((line) => {
    const [, sign = '', info = ''] = /^\s*(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (sign !== '') {
      if (fence === '') fence = sign
      else if (info.trim() === '' && sign.startsWith(fence)) fence = ''
      return line
    }
    return fence !== '' || /^ {4,}\S/.test(line) ? line : withoutLists(line)
  })
  return lines.join('\n')
}

/** Behind what it is about, at the end of a heading, or alone on its line. */
function withoutLists(line: string): string {
  if (!line.includes('{')) return line
  const first = line.search(/\S/)
  const end = line.trimEnd().length
  const isHeading = /^#{1,6} /.test(line)
  return line.replace(/[ \t]?\{([^{}]{1,300})\}/g, (whole, inner: string, at: number) => {
    const isLast = at + whole.length >= end
    const isBehind = at > 0 && ')]*_>'.includes(line.charAt(at - 1))
    if (!isBehind && !(isLast && (isHeading || at <= first))) return whole
    const items = inner.replace(/^:/, ' ').match(/[^\s"']*(?:"[^"]*"|'[^']*')|\S+/g) ?? []
    return items.length > 0 && items.every((one) => item.test(one)) ? '' : whole
  })
}
