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
    name: 'Google Docs: lists within lists, and a checklist',
    data: {
      'text/plain': 'outer\ninner\nlast\ndone\nopen',
      'text/html':
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-2"><ul style="margin-top:0;padding-inline-start:48px;"><li dir="ltr" style="list-style-type:disc;" aria-level="1"><p dir="ltr" role="presentation"><span>outer</span></p></li><ul><li dir="ltr" style="list-style-type:circle;" aria-level="2"><p dir="ltr" role="presentation"><span>inner</span></p></li></ul><li dir="ltr" aria-level="1"><p dir="ltr" role="presentation"><span>last</span></p></li></ul><br /><ul><li dir="ltr" role="checkbox" aria-checked="true" style="list-style-type:none" aria-level="1"><img src="data:image/png;base64,AAAA" width="17.6px" height="17.6px" alt="checked" aria-roledescription="checkbox" /><p style="display:inline-block" role="presentation"><span>done</span></p></li><li dir="ltr" role="checkbox" aria-checked="false" aria-level="1"><img src="data:image/png;base64,AAAA" alt="unchecked" aria-roledescription="checkbox" /><p role="presentation"><span>open</span></p></li></ul></b>',
    },
    markdown: '* outer\n  * inner\n* last\n\n- [x] done\n- [ ] open',
  },
  {
    name: 'Google Docs: a table with merged cells, marks, links and lists in them',
    data: {
      'text/plain': 'Name\tWhere\nBoth\nA link\t\n',
      'text/html':
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-3"><div dir="ltr" align="left"><table style="border:none;border-collapse:collapse;"><colgroup><col width="100" /><col width="100" /></colgroup><tbody><tr style="height:0pt"><td><p dir="ltr"><span style="font-weight:700">Name</span></p></td><td><p dir="ltr"><span>Where</span></p></td></tr><tr><td colspan="2"><p dir="ltr"><span style="font-weight:700">Both</span><span> of them</span></p></td></tr><tr><td><p dir="ltr"><a href="https://example.org/"><span>A link</span></a></p></td><td><ul><li dir="ltr"><p dir="ltr"><span>one</span></p></li><li dir="ltr"><p dir="ltr"><span>two</span></p></li></ul></td></tr></tbody></table></div></b>',
    },
    markdown:
      '<table><thead><tr><th>Name</th><th>Where</th></tr></thead><tbody><tr><td data-colspan="2"><strong>Both</strong> of them</td><td></td></tr><tr><td><a href="https://example.org/">A link</a></td><td><ul><li>one</li><li>two</li></ul></td></tr></tbody></table>',
  },
  {
    name: 'Word: a table with merged cells, without a head',
    data: {
      'text/plain': 'x',
      'text/html':
        "<html xmlns:w=\"urn:schemas-microsoft-com:office:word\"><body lang=EN-US><!--StartFragment--><table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse'>\n <tr style='mso-yfti-irow:0'>\n  <td width=100 rowspan=2 valign=top style='width:75pt'>\n  <p class=MsoNormal style='margin-bottom:0'>Tall<o:p></o:p></p>\n  </td>\n  <td width=100 valign=top>\n  <p class=MsoNormal><b>Right</b><o:p></o:p></p>\n  </td>\n </tr>\n <tr style='mso-yfti-irow:1'>\n  <td width=100 valign=top>\n  <p class=MsoNormal>Below<o:p></o:p></p>\n  <p class=MsoNormal>it<o:p></o:p></p>\n  </td>\n </tr>\n</table>\n\n<p class=MsoNormal>After.<o:p></o:p></p><!--EndFragment--></body></html>",
    },
    markdown:
      '<table data-header-hidden><thead><tr><th></th><th></th></tr></thead><tbody><tr><td data-rowspan="2">Tall</td><td><strong>Right</strong></td></tr><tr><td></td><td><p>Below</p><p>it</p></td></tr></tbody></table>\n\nAfter.',
  },
  {
    name: 'Excel: merged cells, lines within a cell, numbers at the right',
    data: {
      'text/plain': 'Item\tPrice\r\nAll\t\r\nTea\t2',
      'text/html':
        "<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><head><meta name=ProgId content=Excel.Sheet><style>td {mso-ignore:padding;}\n.xl65 {text-align:right;}</style></head><body link=\"#0563C1\"><table border=0 cellpadding=0 cellspacing=0 width=128 style='border-collapse:collapse;width:96pt'>\n<!--StartFragment-->\n <col width=64 span=2 style='width:48pt'>\n <tr height=20 style='height:15.0pt'>\n  <td height=20 width=64>Item</td>\n  <td width=64>Price</td>\n </tr>\n <tr height=20>\n  <td colspan=2 height=20>All<br>\n    of it</td>\n </tr>\n <tr height=20>\n  <td height=20>Tea</td>\n  <td align=right x:num>2</td>\n </tr>\n<!--EndFragment-->\n</table></body></html>",
    },
    markdown:
      '<table><thead><tr><th>Item</th><th align="right">Price</th></tr></thead><tbody><tr><td data-colspan="2">All<br>of it</td><td></td></tr><tr><td>Tea</td><td>2</td></tr></tbody></table>',
  },
  {
    name: 'Notion: tasks as words, a callout, a table',
    data: {
      'text/plain':
        '- [x]  done\n- [ ]  open\n\n<aside>\n💡 Mind the gap.\n\n</aside>\n\n| A | B |\n| --- | --- |\n| 1 | **2** |',
      'text/html':
        "<meta charset='utf-8'><ul>\n<li>[x]  done</li>\n<li>[ ]  open</li>\n</ul>\n<aside>\n💡 Mind the gap.\n</aside>\n<table>\n<thead>\n<tr>\n<th>A</th>\n<th>B</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td><strong>2</strong></td>\n</tr>\n</tbody>\n</table>\n<!-- notionvc: 6f1c1b0e-0000-4000-8000-000000000000 -->",
    },
    markdown:
      '* [x] done\n* [ ] open\n\n{% hint style="info" %}\n💡 Mind the gap.\n{% endhint %}\n\n| A   | B     |\n| --- | ----- |\n| 1   | **2** |',
  },
  {
    name: 'VS Code in a browser that does not tell its language',
    data: {
      'text/plain': 'if (a) {\n\n  b()\n}',
      'text/html':
        '<meta charset=\'utf-8\'><div style="color: #d4d4d4;background-color: #1e1e1e;font-family: Consolas, \'Courier New\', monospace;font-weight: normal;font-size: 14px;line-height: 19px;white-space: pre;"><div><span style="color: #c586c0;">if</span><span> (</span><span>a</span><span>) {</span></div><br><div><span>  b</span><span>()</span></div><div><span>}</span></div></div>',
    },
    markdown: '```\nif (a) {\n\n  b()\n}\n```',
  },
  {
    name: 'Word in a browser: each item a list of its own',
    data: {
      'text/plain': 'first\ninner\nsecond',
      'text/html':
        '<div class="OutlineElement Ltr"><p class="Paragraph"><span data-contrast="auto" class="TextRun"><span class="NormalTextRun">Before</span></span><span class="EOP" data-ccp-props="{}">&nbsp;</span></p></div><div class="ListContainerWrapper"><ul class="BulletListStyle1" role="list"><li data-leveltext="" data-listid="1" data-aria-posinset="1" data-aria-level="1" role="listitem" class="OutlineElement Ltr"><p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">first</span></span><span class="EOP">&nbsp;</span></p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle2" role="list"><li data-listid="1" data-aria-level="2" role="listitem" class="OutlineElement Ltr"><p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">inner</span></span><span class="EOP">&nbsp;</span></p></li></ul></div><div class="ListContainerWrapper"><ul class="BulletListStyle1" role="list"><li data-listid="1" data-aria-level="1" role="listitem" class="OutlineElement Ltr"><p class="Paragraph"><span class="TextRun"><span class="NormalTextRun">second</span></span><span class="EOP">&nbsp;</span></p></li></ul></div>',
    },
    markdown: 'Before\n\n* first\n  * inner\n* second',
  },
  {
    name: 'GitHub: tasks and code',
    data: {
      'text/plain': 'x',
      'text/html':
        '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked> done</li><li class="task-list-item"><input type="checkbox" disabled> open</li></ul><div class="highlight highlight-source-js notranslate"><pre><span class="pl-k">const</span> a <span class="pl-c1">=</span> 1\n\nb()</pre><div class="zeroclipboard-container"><clipboard-copy aria-label="Copy"><svg></svg></clipboard-copy></div></div>',
    },
    markdown: '* [x] done\n* [ ] open\n\n```js\nconst a = 1\n\nb()\n```',
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
