/**
 * Pages as docs have them, from a number: the same number, the same page. A section is a heading, two paragraphs with links
 * (a third to another page, a third outside, a third to an anchor), bold, italics and code, and by turns a list, a table,
 * a block of code, a hint or a list of steps. By characters 77 % are paragraphs, 9 % lists,
 * 5 % tables, 4 % code, 2 % hints and 2 % headings; a page of 6 KB has 30 links and 41 marks.
 */
import { makeWords } from './words.js'

export function docsPage(number, bytes = 6000, { pathOf = (n) => `page-${n}.md`, pages = 400 } = {}) {
  const words = makeWords({ seed: number * 7919 + 13, vocabulary: 4000 })
  const parts = []
  let length = 0
  for (let section = 0; length < bytes; section++) {
    const part = sectionOf({ words, number, section, link: (n) => pathOf((number + n) % pages) })
    parts.push(part)
    length += part.length
  }
  return parts.join('\n\n')
}

function sectionOf({ words, number, section, link }) {
  const kind = (number + section) % 5
  return [
    `## ${capital(words(4))}`,
    paragraph(words, section, link),
    [list, table, code, hint, steps][kind]({ words, number, section }),
    paragraph(words, section + 7, link),
  ].join('\n\n')
}

const capital = (text) => text[0].toUpperCase() + text.slice(1)

const paragraph = (words, n, link) =>
  `${capital(words(14))} **${words(2)}** ${words(9)} [${words(2)}](${link(n * 3 + 1)}). ${capital(words(12))} \`${words(1)}_${words(1)}\` ` +
  `${words(8)} [${words(3)}](https://example.com/${words(1)}/${words(1)}). ${capital(words(10))} *${words(2)}* ${words(6)}, ` +
  `[${words(1)}](${link(n * 5 + 2)}#${words(1)}).`

const list = ({ words }) =>
  Array.from({ length: 5 }, () => `* ${capital(words(7))} \`${words(1)}\` ${words(3)}`).join('\n')
const steps = ({ words }) => Array.from({ length: 4 }, (_, i) => `${i + 1}. ${capital(words(9))}`).join('\n')
const hint = ({ words }) => `{% hint style="info" %}\n${capital(words(18))}.\n{% endhint %}`

const table = ({ words }) =>
  [
    `| ${capital(words(1))} | ${capital(words(1))} | ${capital(words(1))} |`,
    '| --- | --- | --- |',
    ...Array.from({ length: 5 }, () => `| \`${words(1)}\` | ${words(2)} | ${words(5)} |`),
  ].join('\n')

const code = ({ words, number, section }) =>
  [
    '```js',
    `import { ${words(1)} } from '${words(1)}'`,
    '',
    `export function ${words(1)}(${words(1)}, options = {}) {`,
    `  // ${words(8)}`,
    `  const port = options.port ?? ${4000 + number + section}`,
    `  return fetch(\`http://localhost:\${port}/${words(1)}\`).then((answer) => answer.json())`,
    '}',
    '```',
  ].join('\n')
