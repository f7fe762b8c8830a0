/** What other programs put on the clipboard, and the Markdown it should become. Written for these tests in the manner of each. */
export interface PasteCase {
  name: string
  data: Readonly<Record<string, string>>
  markdown: string
}

export const pasteCases: readonly PasteCase[] = [
  {
    name: 'Google Docs: bold that is not bold, marks as styles',
    data: {
      'text/plain': 'Plain then bold and a link',
      'text/html':
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:400">Plain then </span><span style="font-weight:700">bold</span><span style="font-weight:400"> and a </span><a href="https://www.google.com/url?q=https://example.org/a&amp;sa=D" style="text-decoration:none"><span>link</span></a></p><ul><li dir="ltr"><p dir="ltr"><span style="font-style:italic">one</span></p></li><li><p><span>two</span></p></li></ul></b>',
    },
    markdown: 'Plain then **bold** and a [link](https://example.org/a)\n\n* _one_\n* two',
  },
  {
    name: 'Word: lists as paragraphs with levels',
    data: {
      'text/plain': 'Heading\nfirst\nsecond',
      'text/html':
        "<html xmlns:o=\"urn:schemas-microsoft-com:office:office\"><head><style>p.MsoNormal{}</style></head><body><!--StartFragment--><h1>Heading</h1><p class=MsoListParagraphCxSpFirst style='text-indent:-.25in;mso-list:l0 level1 lfo1'><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span></span>first</p>\n<p class=MsoListParagraphCxSpMiddle style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o&nbsp;</span>inner</p>\n<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·&nbsp;</span>second<o:p></o:p></p><p class=MsoNormal><b>Bold</b> end<o:p></o:p></p><!--EndFragment--></body></html>",
    },
    markdown: '## Heading\n\n* first\n  * inner\n* second\n\n**Bold** end',
  },
  {
    name: 'a spreadsheet: a table',
    data: {
      'text/plain': 'Name\tCount\nApple\t3',
      'text/html':
        '<google-sheets-html-origin><style>td{}</style><table xmlns="http://www.w3.org/1999/xhtml" cellspacing="0"><colgroup><col width="100"></colgroup><tbody><tr><td>Name</td><td>Count</td></tr><tr><td>Apple</td><td>3</td></tr></tbody></table>',
    },
    markdown: '| Name  | Count |\n| ----- | ----- |\n| Apple | 3     |',
  },
  {
    name: 'Notion: tasks and code',
    data: {
      'text/plain': '',
      'text/html':
        '<meta charset=\'utf-8\'><h2>Plan</h2><ul class="to-do-list"><li><div class="checkbox checkbox-on"></div>done</li><li><div class="checkbox checkbox-off"></div>open</li></ul><pre><code class="language-python">a = 1\nb = 2</code></pre>',
    },
    markdown: '### Plan\n\n* [x] done\n* [ ] open\n\n```python\na = 1\nb = 2\n```',
  },
  {
    name: 'VS Code: code with its language',
    data: {
      'text/plain': 'const a = 1\n# not a heading',
      'text/html':
        '<div style="color: #ccc;font-family: Consolas, monospace"><div><span style="color:#569cd6">const</span><span> a = 1</span></div></div>',
      'vscode-editor-data': '{"version":1,"isFromEmptySelection":false,"mode":"javascript"}',
    },
    markdown: '```javascript\nconst a = 1\n# not a heading\n```',
  },
  {
    name: 'Markdown as plain text',
    data: { 'text/plain': '# Title\n\nSome **bold** words\n\n- one\n- two\n' },
    markdown: '## Title\n\nSome **bold** words\n\n* one\n* two',
  },
  {
    name: 'plain text that only looks like it',
    data: { 'text/plain': '2 * 3 * 4 and #channel' },
    markdown: '2 \\* 3 \\* 4 and #channel',
  },
  {
    name: 'hostile HTML: nothing runs, words stay',
    data: {
      'text/plain': 'x',
      'text/html':
        '<p onclick="evil()">safe <img src=x onerror="window.evil = 1"><a href="javascript:evil()">words</a></p><script>window.evil = 1</script><iframe src="https://example.org"></iframe>',
    },
    markdown: 'safe words',
  },
]
