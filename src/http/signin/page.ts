/** The frame of the sign-in pages: one column, no script, styled in itself, light and dark. */
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const style = `
:root{color-scheme:light dark;--ground:#fff;--ink:#121a19;--soft:#515a59;--line:#cbd3d2;--main:#0f766e;--on:#fff;--card:#fff;--bad:#a3231b;--badground:#fdecea;--good:#0b5f3c;--goodground:#e6f5ee}
@media (prefers-color-scheme:dark){:root{--ground:#0e1211;--ink:#ebf6f4;--soft:#a3adab;--line:#3b4140;--main:#4fc7b8;--on:#000;--card:#161a19;--bad:#ffb4ab;--badground:#3a1512;--good:#8fe3bb;--goodground:#0d2f21}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:26rem;margin:0 auto;padding:12vh 1.25rem 3rem}
main.wide{max-width:46rem;padding-top:3rem}
.name{margin:0 0 1.5rem;font-weight:650;letter-spacing:-.01em;color:var(--soft)}
h1{margin:0 0 1rem;font-size:1.625rem;line-height:1.2;letter-spacing:-.015em}
h2{margin:0 0 .75rem;font-size:1.125rem}
p{margin:0 0 1rem}
.soft,.hint{color:var(--soft)}
section>:last-child,section form>:last-child{margin-bottom:0}
.hint{margin:.375rem 0 0;font-size:.875rem}
section,.card{margin:0 0 1.25rem;padding:1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
label{display:block;margin:0 0 .375rem;font-weight:600;font-size:.9375rem}
.field{margin:0 0 1rem}
input{width:100%;min-height:2.75rem;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:.5rem;background:var(--ground);color:inherit;font:inherit}
input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--main);outline-offset:2px}
button,a.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.75rem;padding:.5rem 1.125rem;border:1px solid var(--main);border-radius:.5rem;background:var(--main);color:var(--on);font:inherit;font-weight:600;cursor:pointer;text-decoration:none}
.whole button,.whole a.button{width:100%}
button.plain{background:transparent;color:var(--main)}
button.small{min-height:2.25rem;padding:.25rem .75rem;font-size:.875rem}
a{color:var(--main)}
.notice{margin:0 0 1.25rem;padding:.75rem 1rem;border-radius:.5rem;background:var(--goodground);color:var(--good)}
.notice.bad{background:var(--badground);color:var(--bad)}
.or{display:flex;align-items:center;gap:.75rem;margin:1.25rem 0;color:var(--soft);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
ul.rows{list-style:none;margin:0;padding:0}
ul.rows li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding:.75rem 0;border-top:1px solid var(--line)}
ul.rows li:first-child{border-top:0;padding-top:0}
ul.rows div{min-width:0;flex:1 1 14rem;overflow-wrap:anywhere}
ul.rows strong{display:block}
code{font:.875rem ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
form{margin:0}
`

/** Browsers hold `form-action` against redirects, too: the way to an identity provider leads over a page of ours (`goOn`). */
const policy = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** HTML that is safe to put into a page as it is. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | undefined | false | readonly Html[]

/** Everything filled in is escaped, unless it is `Html` itself. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.map((text, index) => text + (index < parts.length ? written(parts[index]) : '')).join(''))

function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map((one: Html) => one.text).join('')
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

export interface Page {
  /** Of its texts, such as `en`. */
  language: string
  title: string
  body: Html
  status?: number
  wide?: boolean
  /** Where the browser goes on by itself, at once. */
  goOn?: string
}

export const sendPage = (
  reply: FastifyReply,
  { language, title, body, status = 200, wide = false, goOn }: Page,
): FastifyReply =>
  reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy)
    .header('x-frame-options', 'DENY')
    // With `no-referrer` browsers would hide the origin of our own forms from us.
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .header('content-language', language)
    .header('vary', 'accept-language')
    .send(
      html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${goOn !== undefined && html`<meta http-equiv="refresh" content="0;url=${goOn}">`}
<title>${title} · Lectern</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<main${wide && new Html(' class="wide"')}>
<p class="name">Lectern</p>
${body}
</main>
</body>
</html>
`.text,
    )

/** What went right or wrong, read out by screen readers. */
export const notice = (text: string | undefined, kind: 'bad' | 'good' = 'bad'): Html =>
  text === undefined
    ? html``
    : html`<p class="notice${kind === 'bad' ? ' bad' : ''}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`
