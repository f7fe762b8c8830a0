/**
 * Markdown that holds as much as it can in few bytes, one kind of thing each; and prose, to compare with.
 */

const fill = (piece: string, bytes: number): string => piece.repeat(Math.max(1, Math.floor(bytes / piece.length)))

/** Pieces that differ by a number, so that no two have the same name. */
function numbered(bytes: number, piece: (at: number) => string): string {
  const pieces: string[] = []
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const next = piece(at)
    pieces.push(next)
    length += next.length
  }
  return pieces.join('')
}

const table = (columns: number, cell: string, bytes: number): string => {
  const row = `${`|${cell}`.repeat(columns)}|\n`
  return `${row}${'|-'.repeat(columns)}|\n${fill(row, bytes)}`
}

/** A source of about so many bytes. */
export const dense: Readonly<Record<string, (bytes: number) => string>> = {
  prose: (bytes) =>
    fill(
      'A page of documentation is mostly words like these, with **some of them bold**, a `name` of code and a [link to another page](other.md) now and then. Sentences have commas, and end.\n\n## A heading\n\n* an item of a list\n* and one more, with a few more words\n\n',
      bytes,
    ),
  'plain words': (bytes) => fill('Words and nothing but words, as long as a paragraph is.\n\n', bytes),
  headings: (bytes) => fill('## a\n', bytes),
  paragraphs: (bytes) => fill('a\n\n', bytes),
  'list items': (bytes) => fill('* a\n', bytes),
  'task items': (bytes) => fill('- [ ] a\n', bytes),
  'nested lists': (bytes) => fill('* a\n  * b\n    * c\n      * d\n', bytes),
  quotes: (bytes) => fill('> a\n\n', bytes),
  'quotes in quotes': (bytes) => fill('>>>>>>>> a\n\n', bytes),
  'cells of 10 bytes': (bytes) => table(8, ' words 12 ', bytes),
  'cells of 2 bytes': (bytes) => table(8, 'a', bytes),
  'marked cells': (bytes) => table(8, '*a*', bytes),
  emphasis: (bytes) => fill('*a* ', bytes),
  'emphasis in lines': (bytes) => fill('*a* **b**\n\n', bytes),
  links: (bytes) => fill('[a](b) ', bytes),
  addresses: (bytes) => fill('http://a.b ', bytes),
  code: (bytes) => fill('`a` ', bytes),
  'code lines': (bytes) => `\`\`\`\n${fill('a\n', bytes)}\`\`\`\n`,
  'code blocks': (bytes) => fill('```\na\n```\n', bytes),
  'HTML tables': (bytes) =>
    fill('<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>\n\n', bytes),
  'one HTML table': (bytes) => `<table>${fill('<tr><td>c</td><td>d</td></tr>', bytes)}</table>`,
  elements: (bytes) => fill('<b>a</b> ', bytes),
  'elements in blocks': (bytes) => fill('<p>a</p>\n\n', bytes),
  hints: (bytes) => fill('{% hint style="info" %}\na\n{% endhint %}\n', bytes),
  tabs: (bytes) => fill('{% tabs %}\n{% tab title="a" %}\nb\n{% endtab %}\n{% endtabs %}\n', bytes),
  entities: (bytes) => fill('&lt; ', bytes),
  escapes: (bytes) => fill('\\*', bytes),
  breaks: (bytes) => fill('a\\\n', bytes),
  'emoji names': (bytes) => fill(':tada: ', bytes),
  emoji: (bytes) => fill('😀', bytes / 2),
  'emoji between words': (bytes) => fill('a 😀 ', bytes),
  math: (bytes) => fill('$$a$$ ', bytes),
  'math blocks': (bytes) => fill('$$\na\n$$\n', bytes),
  images: (bytes) => fill('![a](b)\n\n', bytes),
  notes: (bytes) => numbered(bytes, (at) => `[w](#user-content-fn-${at})[^${at}]\n\n[^${at}]: b\n\n`),
  dividers: (bytes) => fill('---\n\n', bytes),
}
