/** One book of 36 pages in the shape of every source that imports read: chapters with topics, each with what pages hold. */
import yazl from 'yazl'
import { samples } from '../kit/tiny-files.ts'

export const picture = samples.png

export interface Topic {
  key: string
  title: string
  next: Topic | undefined
  chapter: Topic | undefined
}

/** Chapters, each before its topics. */
export const topics: Topic[] = []
for (let chapter = 1; chapter <= 4; chapter++) {
  const head: Topic = { key: `chapter-${chapter}`, title: `Chapter ${chapter}`, next: undefined, chapter: undefined }
  topics.push(head)
  for (let topic = 1; topic <= 8; topic++)
    topics.push({
      key: `topic-${chapter}-${topic}`,
      title: `Topic ${chapter}.${topic}`,
      next: undefined,
      chapter: head,
    })
}
for (const [at, topic] of topics.entries()) topic.next = topics[(at + 1) % topics.length]

export const topicsOf = (chapter: Topic): Topic[] => topics.filter((topic) => topic.chapter === chapter)
export const chapters = topics.filter(({ chapter }) => chapter === undefined)

export function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new yazl.ZipFile()
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name)
  archive.end()
  return collect(archive.outputStream)
}

export async function collect(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** Body of a topic as Markdown; `link` and `image` spell the targets. */
export const markdownOf = (
  { title, next }: Topic,
  link: (to: Topic) => string,
  image: string,
): string => `Words of ${title} with a **bold** part and [the next page](${next ? link(next) : ''}).

## Steps

1. First of ${title}
2. Second

![A pixel](${image})

\`\`\`js
const title = '${title}'
\`\`\`

| Name | Value |
| --- | --- |
| one | 1 |
`

export const htmlOf = (
  { title, next }: Topic,
  link: (to: Topic) => string,
  image: string,
): string => `<p>Words of ${title} with a <strong>bold</strong> part
and <a href="${next ? link(next) : ''}">the next page</a>.</p>
<h2 id="steps">Steps<a class="headerlink" href="#steps">¶</a></h2>
<ol><li><p>First of ${title}</p></li><li>Second</li></ol>
<p><img src="${image}" alt="A pixel"></p>
<pre><code class="language-js">const title = '${title}'
</code></pre>
<table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td>one</td><td>1</td></tr></tbody></table>`

const entities = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** Folders of Markdown with a table of contents. */
export const markdownZip = (): Promise<Buffer> => {
  const path = ({ key, chapter }: Topic): string => (chapter ? `${chapter.key}/${key}.md` : `${key}/README.md`)
  const files: Record<string, string | Buffer> = { 'book-main/assets/pixel.png': picture }
  let summary = '# Table of contents\n\n'
  for (const topic of topics) {
    files[`book-main/${path(topic)}`] =
      `# ${topic.title}\n\n${markdownOf(topic, (to) => `../${path(to)}`, '../assets/pixel.png')}`
    summary += `${topic.chapter ? '  ' : ''}* [${topic.title}](${path(topic)})\n`
  }
  return zip({ ...files, 'book-main/SUMMARY.md': summary })
}

export const htmlZip = (): Promise<Buffer> => {
  const path = ({ key, chapter }: Topic): string => (chapter ? `${chapter.key}/${key}.html` : `${key}.html`)
  const nav = (up: string): string =>
    `<nav class="sidebar"><ul>${chapters
      .map(
        (head) =>
          `<li><a href="${up}${path(head)}">${head.title}</a><ul>${topicsOf(head)
            .map((one) => `<li><a href="${up}${path(one)}">${one.title}</a></li>`)
            .join('')}</ul></li>`,
      )
      .join('')}</ul></nav>`
  const files: Record<string, string | Buffer> = { 'img/pixel.png': picture, 'style.css': 'p { color: red }' }
  for (const topic of topics) {
    const up = topic.chapter ? '../' : ''
    files[path(topic)] =
      `<!doctype html><html><head><title>${topic.title}</title><link rel="stylesheet" href="${up}style.css"></head>
<body>${nav(up)}<main><h1>${topic.title}</h1>${htmlOf(topic, (to) => up + path(to), `${up}img/pixel.png`)}</main><footer>Made by a tool</footer></body></html>`
  }
  return zip(files)
}

/** A space exported as HTML: names with page numbers, `index.html` with the tree, attachments by number. */
export const confluenceHtmlZip = (): Promise<Buffer> => {
  const number = (topic: Topic): number => 100_000 + topics.indexOf(topic)
  const path = (topic: Topic): string => `${topic.title.replace(/[ .]/g, '-')}_${number(topic)}.html`
  const item = (topic: Topic): string =>
    `<li><a href="${path(topic)}">${topic.title}</a>${topic.chapter ? '' : `<ul>${topicsOf(topic).map(item).join('')}</ul>`}</li>`
  const files: Record<string, string | Buffer> = {
    'BOOK/attachments/100000/200000.png': picture,
    'BOOK/styles/site.css': 'body {}',
    'BOOK/index.html': `<html><head><title>Book (Book)</title></head><body><div id="main"><h1>Space Details:</h1><table class="confluenceTable"><tr><th>Key</th><td>BOOK</td></tr></table><h2>Available Pages:</h2><ul>${chapters.map(item).join('')}</ul></div></body></html>`,
  }
  for (const topic of topics)
    files[`BOOK/${path(topic)}`] =
      `<!DOCTYPE html><html><head><title>Book : ${topic.title}</title></head><body class="theme-default aui-theme-default"><div id="page"><div id="main" class="aui-page-panel"><div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li class="first"><span><a href="index.html">Book</a></span></li></ol></div><h1 id="title-heading" class="pagetitle"><span id="title-text"> Book : ${topic.title} </span></h1></div><div id="content" class="view"><div class="page-metadata">Created by <span class="author">Somebody</span>, last modified on Jan 01, 2026</div><div id="main-content" class="wiki-content group">${htmlOf(topic, path, 'attachments/100000/200000.png').replace(/<pre>[\s\S]*?<\/pre>/, `<div class="code panel pdl" style="border-width: 1px;"><div class="codeContent panelContent pdl"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: js; gutter: false; theme: Confluence" data-theme="Confluence">const title = '${topic.title}'</pre></div></div>`)}<div class="confluence-information-macro confluence-information-macro-warning"><span class="aui-icon aui-icon-small aui-iconfont-error confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Careful with ${topic.title}.</p></div></div></div><div class="pageSection group"><h2 id="attachments">Attachments:</h2></div></div></div></div></body></html>`
  return zip(files)
}

/** A space exported as XML: objects of the database, bodies in the storage format, attachments by number and version. */
export const confluenceXmlZip = (): Promise<Buffer> => {
  const id = (topic: Topic): number => 100_000 + topics.indexOf(topic)
  const cdata = (text: string): string => `<![CDATA[${text.replace(/\]\]>/g, ']]]]><![CDATA[>')}]]>`
  const storage = (topic: Topic): string =>
    htmlOf(topic, () => '#', '')
      .replace(/<a class="headerlink".*?<\/a>/, '')
      .replace(
        /<a href="#">the next page<\/a>/,
        `<ac:link><ri:page ri:content-title="${topic.next?.title}" /><ac:link-body>the next page</ac:link-body></ac:link>`,
      )
      .replace(/<img [^>]*>/, '<ac:image ac:alt="A pixel"><ri:attachment ri:filename="pixel.png" /></ac:image>')
      .replace(
        /<pre>[\s\S]*?<\/pre>/,
        `<ac:structured-macro ac:name="code"><ac:parameter ac:name="language">js</ac:parameter><ac:plain-text-body><![CDATA[const title = '${topic.title}']]></ac:plain-text-body></ac:structured-macro>`,
      )
      .concat(
        `<ac:structured-macro ac:name="warning"><ac:rich-text-body><p>Careful with ${topic.title}.</p></ac:rich-text-body></ac:structured-macro>`,
      )
  const files: Record<string, string | Buffer> = { 'exportDescriptor.properties': 'exportType=space\n' }
  const objects = topics.flatMap((topic, at) => {
    files[`attachments/${id(topic)}/${id(topic) + 500}/1`] = picture
    return [
      `<object class="Page" package="com.atlassian.confluence.pages"><id name="id">${id(topic)}</id><property name="position">${at}</property>${topic.chapter ? `<property name="parent" class="Page" package="com.atlassian.confluence.pages"><id name="id">${id(topic.chapter)}</id></property>` : ''}<property name="title">${cdata(topic.title)}</property><collection name="bodyContents" class="java.util.Collection"><element class="BodyContent" package="com.atlassian.confluence.core"><id name="id">${id(topic) + 900}</id></element></collection><property name="version">2</property><property name="contentStatus">${cdata('current')}</property></object>`,
      `<object class="Page" package="com.atlassian.confluence.pages"><id name="id">${id(topic) + 7000}</id><property name="title">${cdata(topic.title)}</property><property name="originalVersion" class="Page" package="com.atlassian.confluence.pages"><id name="id">${id(topic)}</id></property><property name="contentStatus">${cdata('current')}</property></object>`,
      `<object class="BodyContent" package="com.atlassian.confluence.core"><id name="id">${id(topic) + 900}</id><property name="body">${cdata(storage(topic))}</property><property name="content" class="Page" package="com.atlassian.confluence.pages"><id name="id">${id(topic)}</id></property><property name="bodyType">2</property></object>`,
      `<object class="Attachment" package="com.atlassian.confluence.pages"><id name="id">${id(topic) + 500}</id><property name="title">${cdata('pixel.png')}</property><property name="containerContent" class="Page" package="com.atlassian.confluence.pages"><id name="id">${id(topic)}</id></property><property name="version">1</property><property name="contentStatus">${cdata('current')}</property></object>`,
    ]
  })
  files['entities.xml'] =
    `<?xml version="1.0" encoding="UTF-8"?>\n<hibernate-generic datetime="2026-01-01 00:00:00">\n${objects.join('\n')}\n</hibernate-generic>`
  return zip(files)
}

const hex = (topic: Topic): string => topics.indexOf(topic).toString(16).padStart(32, 'a')

/** Markdown & CSV: names with ids, folders of the same names, links with encoded spaces, and the archive in an archive. */
export const notionMarkdownZip = async (): Promise<Buffer> => {
  const name = (topic: Topic): string => `${topic.title} ${hex(topic)}`
  const path = (topic: Topic): string =>
    topic.chapter ? `${name(topic.chapter)}/${name(topic)}.md` : `${name(topic)}.md`
  const encoded = (text: string): string => encodeURIComponent(text).replace(/%2F/g, '/')
  const files: Record<string, string | Buffer> = {}
  for (const topic of topics) {
    const link = (to: Topic): string => encoded(topic.chapter ? `../${path(to)}` : path(to))
    const folder = topic.chapter ? name(topic.chapter) : ''
    files[`${folder === '' ? '' : `${folder}/`}image ${hex(topic)}.png`] = picture
    const children = topic.chapter
      ? ''
      : topicsOf(topic)
          .map((one) => `[${one.title}](${link(one)})`)
          .join('\n\n')
    files[path(topic)] =
      `# ${topic.title}\n\n${markdownOf(topic, link, encoded(`image ${hex(topic)}.png`))}\n<aside>\n⚠️ Careful with ${topic.title}.\n\n</aside>\n\n${children}\n`
  }
  files['Tasks 0123456789abcdef0123456789abcdef.csv'] =
    '\ufeffName,Status\nShip it,"Done, mostly"\n"Say ""hello""",Open\n'
  return zip({ 'Export-1-Part-1.zip': await zip(files) })
}

export const notionHtmlZip = (): Promise<Buffer> => {
  const name = (topic: Topic): string => `${topic.title} ${hex(topic)}`
  const path = (topic: Topic): string =>
    topic.chapter ? `${name(topic.chapter)}/${name(topic)}.html` : `${name(topic)}.html`
  const encoded = (text: string): string => encodeURIComponent(text).replace(/%2F/g, '/')
  const files: Record<string, string | Buffer> = { 'pixel.png': picture }
  for (const topic of topics) {
    const up = topic.chapter ? '../' : ''
    files[path(topic)] =
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"/><title>${topic.title}</title><style>body{}</style></head><body><article id="${hex(topic)}" class="page sans"><header><div class="page-header-icon undefined"><span class="icon">📘</span></div><h1 class="page-title">${topic.title}</h1><p class="page-description"></p></header><div class="page-body">${htmlOf(topic, (to) => encoded(up + path(to)), `${up}pixel.png`).replace('<pre><code class="language-js">', '<pre class="code code-wrap"><code class="language-JavaScript">')}<figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">⚠️</span></div><div style="width:100%">Careful with ${topic.title}.</div></figure></div></article></body></html>`
  }
  return zip(files)
}

export const wikiFiles = (): Record<string, string | Buffer> => {
  const name = ({ title }: Topic): string => title.replace(/ /g, '-')
  const files: Record<string, string | Buffer> = {
    'Home.md': 'Welcome. Start with [[Chapter 1]].\n',
    '_Footer.md': 'Footer',
    'images/pixel.png': picture,
    '_Sidebar.md': chapters
      .map(
        (head) =>
          `* [[${head.title}]]\n${topicsOf(head)
            .map((one) => `  * [${one.title}](${name(one)})\n`)
            .join('')}`,
      )
      .join(''),
  }
  for (const topic of topics)
    files[`${name(topic)}.md`] = markdownOf(topic, name, 'images/pixel.png').replace(
      /\[the next page\]\([^)]*\)/,
      `[[the next page|${topic.next?.title}]]`,
    )
  return files
}

export const wikiZip = (): Promise<Buffer> =>
  zip(Object.fromEntries(Object.entries(wikiFiles()).map(([path, file]) => [`book.wiki/${path}`, file])))

/** The zipped web page of a Google document: classes for marks, wrapped links, lists that only names nest. */
export const googleDocsZip = (): Promise<Buffer> => {
  const body = topics
    .map(
      (topic) => `<h1 class="c2" id="h.${topic.key.replace(/-/g, '')}"><span class="c0">${topic.title}</span></h1>
<p class="c1"><span>Words of ${topic.title} with a </span><span class="c5">bold</span><span>&nbsp;part and </span><span class="c6"><a class="c7" href="#h.${topic.next?.key.replace(/-/g, '')}">the next page</a></span><span>, or </span><a href="https://www.google.com/url?q=https://example.org/a?b%3Dc&amp;sa=D&amp;source=editors">elsewhere</a><span>.</span></p>
<h2 id="h.s${topic.key.replace(/-/g, '')}"><span>Steps</span></h2>
<ol class="c3 lst-kix_a${topics.indexOf(topic)}-0 start" start="1"><li class="c4 li-bullet-0"><span>First of ${topic.title}</span></li></ol><ul class="c3 lst-kix_a${topics.indexOf(topic)}-1 start"><li><span>Inner</span></li></ul><ol class="c3 lst-kix_a${topics.indexOf(topic)}-0" start="2"><li><span>Second</span></li></ol>
<p class="c1"><span style="overflow: hidden; display: inline-block;"><img alt="A pixel" src="images/image1.png" style="width: 3px" title=""></span></p>
<table class="c9"><tr class="c10"><td class="c11" colspan="1" rowspan="1"><p><span>one</span></p></td><td class="c11" colspan="1" rowspan="1"><p><span>1</span></p></td></tr></table>`,
    )
    .join('\n')
  return zip({
    'images/image1.png': picture,
    'Handbook.html': `<html><head><meta content="text/html; charset=UTF-8" http-equiv="content-type"><style type="text/css">.lst-kix_a0-0{list-style:none}.c5{font-weight:700}.c0{color:#000000;font-weight:400}.c6{text-decoration:underline}</style></head><body class="c8 doc-content"><p class="c12 title" id="h.title"><span>Handbook</span></p><p class="c1"><span>What the book is about.</span></p>${body}</body></html>`,
  })
}

export const docxFile = (): Promise<Buffer> => {
  const run = (text: string, properties = ''): string =>
    `<w:r>${properties}<w:t xml:space="preserve">${entities(text)}</w:t></w:r>`
  const styled = (style: string, inside: string): string =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inside}</w:p>`
  const item = (text: string): string =>
    `<w:p><w:pPr><w:pStyle w:val="ListParagraph"/><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr>${run(text)}</w:p>`
  const drawing =
    '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="9525" cy="9525"/><wp:docPr id="1" name="Picture 1" descr="A pixel"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill><a:blip r:embed="rId9"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>'
  const cell = (text: string): string => `<w:tc><w:p>${run(text)}</w:p></w:tc>`
  const body = topics
    .map((topic, at) =>
      [
        styled(
          'Heading1',
          `<w:bookmarkStart w:id="${at}" w:name="_${topic.key}"/>${run(topic.title)}<w:bookmarkEnd w:id="${at}"/>`,
        ),
        `<w:p>${run(`Words of ${topic.title} with a `)}${run('bold', '<w:rPr><w:b/></w:rPr>')}${run(' part and ')}<w:hyperlink w:anchor="_${topic.next?.key}">${run('the next page')}</w:hyperlink>${run('.')}</w:p>`,
        styled('Heading2', run('Steps')),
        item(`First of ${topic.title}`),
        item('Second'),
        drawing,
        `<w:tbl><w:tr>${cell('one')}${cell('1')}</w:tr></w:tbl>`,
      ].join(''),
    )
    .join('')
  const names =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
  const relation = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  const style = (id: string, name: string): string =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`
  return zip({
    '[Content_Types].xml': `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relation}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="${relation}/image" Target="media/image1.png"/><Relationship Id="rId2" Type="${relation}/styles" Target="styles.xml"/><Relationship Id="rId3" Type="${relation}/numbering" Target="numbering.xml"/></Relationships>`,
    'word/styles.xml': `${xml}<w:styles ${names}>${style('Title', 'Title')}${style('Heading1', 'heading 1')}${style('Heading2', 'heading 2')}${style('ListParagraph', 'List Paragraph')}</w:styles>`,
    'word/numbering.xml': `${xml}<w:numbering ${names}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    'word/media/image1.png': picture,
    'word/document.xml': `${xml}<w:document ${names}><w:body>${styled('Title', run('Handbook'))}<w:p>${run('What the book is about.')}</w:p>${body}</w:body></w:document>`,
  })
}
