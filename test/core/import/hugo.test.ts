/** Folders written for Hugo: their pages, their front matter in TOML, and the shortcodes that themes for docs have in common. */
import { describe, expect, test } from 'vitest'
import { withoutShortcodes } from '../../../src/core/import/generators/shortcodes.ts'
import type { ImportedTree } from '../../../src/core/import/tree.ts'
import type { ArrangedPage } from '../../../src/core/repository/arrange.ts'
import { readFiles } from './read-files.ts'

const lines = (pages: readonly ArrangedPage[], depth = 0): string[] =>
  pages.flatMap((page) => [
    `${'  '.repeat(depth)}${page.linkTitle ?? page.title} (${page.path ?? ''})`,
    ...lines(page.children, depth + 1),
  ])

const markdownAt = ({ texts }: ImportedTree, path: string): string => {
  const text = texts.get(path)
  return text && 'markdown' in text ? text.markdown : ''
}

test('sections, weights, TOML, drafts, one language', async () => {
  const tree = await readFiles({
    'hugo.toml': 'baseURL = "https://docs.example.org/"',
    'content/en/_index.md': '+++\ntitle = "Docs"\ndate = 2024-05-01\n[params]\nx = [1, 2]\n+++\nHello.',
    'content/en/guide/_index.md': '---\ntitle: Guide\nweight: 2\nlinkTitle: How to\n---\n[first](first.md)',
    'content/en/guide/first.md': '+++\ntitle = "First"\nweight = 1\ndraft = true\n+++\nWords.',
    'content/en/guide/first.de.md': '+++\ntitle = "Erste"\n+++\nWorte.',
    'content/en/guide/broken.md': '+++\ntitle = Broken\n+++\nWords.',
    'content/en/about/index.md': '---\ntitle: About\nweight: 1\n---\n![](a.png)',
    'content/en/about/a.png': 'not really',
    'content/de/_index.md': '# Doku',
    'static/b.png': 'not really',
    'themes/x/README.md': '# A theme',
  })
  expect(lines(tree.pages)).toEqual([
    'En (content/en/_index.md)',
    'About (content/en/about/index.md)',
    'How to (content/en/guide/_index.md)',
    '  First (content/en/guide/first.md)',
    '  Broken (content/en/guide/broken.md)',
  ])
  expect(tree.files.map(({ path }) => path)).toEqual(['content/en/about/a.png', 'static/b.png'])
  expect(markdownAt(tree, 'content/en/_index.md')).toBe(
    '---\ntitle: Docs\ndate: 2024-05-01\nparams:\n  x:\n    - 1\n    - 2\n---\nHello.',
  )
  expect(markdownAt(tree, 'content/en/guide/first.md')).toMatch(/^hidden: true$/m)
  expect(markdownAt(tree, 'content/en/guide/broken.md')).toMatch(/^\+\+\+\ntitle = Broken/)
  expect(tree.problems.map(({ path, line, message }) => `${path}:${line ?? ''} ${message}`)).toEqual([
    'content/en: Only this language comes in. Import content/de into spaces of their own.',
    expect.stringMatching(/^content\/en\/guide\/broken\.md:2 The front matter cannot be read: /),
  ])
})

test('references lead to pages, from where they stand, from the root and by name; unknown shortcodes are told', async () => {
  const tree = await readFiles({
    'content/docs/_index.md': 'Start.',
    'content/docs/a.md':
      '---\ntitle: A\n---\n[one]({{< ref "b.md#x" >}}) [two]({{% relref "/docs/sub" %}}) [three]({{< ref "deep page" >}}) [gone]({{< ref "no.md" >}})\n\n{{< chart 3 >}}',
    'content/docs/b.md': 'B',
    'content/docs/sub/_index.md': 'Sub',
    'content/docs/sub/deep page.md': 'Deep',
  })
  expect(markdownAt(tree, 'content/docs/a.md')).toContain(
    '[one](b.md#x) [two](sub/_index.md) [three](sub/deep%20page.md) [gone](no.md)',
  )
  expect(tree.problems).toEqual([
    {
      path: 'content/docs/a.md',
      line: 6,
      message: 'The shortcode chart is not known here, and stays as it is written.',
    },
  ])
})

describe('shortcodes', () => {
  const convert = (markdown: string): string =>
    withoutShortcodes(markdown, { find: () => undefined, onUnknown: () => {} })

  test.each([
    ['{{% notice tip "Good to know" %}}\nWords\n{{% /notice %}}', ':::tip[Good to know]\n\nWords\n:::\n'],
    ['{{< hint danger >}}\nWords\n{{< /hint >}}', ':::danger\n\nWords\n:::\n'],
    ['{{% alert title="Mind" color="warning" %}}\nx\n{{% /alert %}}', ':::warning[Mind]\n\nx\n:::\n'],
    ['{{< note >}}x{{< /note >}}', ':::note\n\n\nx\n\n:::\n'],
    ['{{< highlight go "linenos=table" >}}\na := 1\n{{< /highlight >}}', '````go\na := 1\n````\n'],
    [
      '{{< tabs "id" >}}\n{{< tab "One" >}}\nx\n{{< /tab >}}\n{{< /tabs >}}',
      '<Tabs>\n\n<Tab title="One">\n\nx\n</Tab>\n\n</Tabs>\n',
    ],
    [
      '{{< tabs items="A,B" >}}\n{{< tab >}}x{{< /tab >}}\n{{< /tabs >}}',
      '<Tabs>\n\n<Tab title="A">\n\n\nx\n\n</Tab>\n\n</Tabs>\n',
    ],
    [
      '{{< tabpane lang="sh" >}}\n{{< tab header="npm" >}}\nnpm i\n{{< /tab >}}\n{{< /tabpane >}}',
      '<Tabs>\n\n<Tab title="npm">\n\n````sh\nnpm i\n````\n\n</Tab>\n\n</Tabs>\n',
    ],
    [
      '* one\n\n  {{< details "More" >}}\n  x\n  {{< /details >}}',
      '* one\n\n  <details>\n  <summary>More</summary>\n  \n  \n  x\n  \n  </details>\n  ',
    ],
    [
      '{{< figure src="a b.png" alt="x" caption="A & B" >}}',
      '<figure><img src="a%20b.png" alt="x"><figcaption>A &amp; B</figcaption></figure>\n',
    ],
    ['{{< youtube abc_1-2 >}}', '{% embed url="https://www.youtube.com/watch?v=abc_1-2" %}\n'],
    ['{{</* note */>}} and {{<', '{{< note >}} and {{<'],
    ['{{< own >}}x{{< /own >}} {{% toc %}}', '{{< own >}}x{{< /own >}} '],
    ['{{< /note >}}{{< note >}}', '{{< /note >}}{{< note >}}'],
  ])('%j', (markdown, expected) => {
    expect(convert(markdown)).toBe(expected)
  })

  test('what a stranger makes of them takes time that grows with its length', () => {
    for (const piece of [
      '{{<',
      '{{< tip >}}',
      '{{< /x >}}{{< note >}}',
      '{{< a "b" ',
      '{{% tab "',
      '{{< tip >}}\\n{{< /tip >}}',
    ]) {
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
      const began = performance.now()
      convert(text)
      expect(performance.now() - began, piece).toBeLessThan(3_000)
    }
  })
})
