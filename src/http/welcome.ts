/** `/`: where someone who has just started Lectern finds the rest. One page without a script, styled in itself. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sampleUrl } from '../domain/sample-note.ts'
import type { Parts } from './api/dispatch.ts'
import { mountOf } from './mount.ts'
import { readCookie, sessionCookieName } from './signin/cookies.ts'

const style = `
:root{color-scheme:light dark;--ground:#fbfdfc;--ink:#12211f;--soft:#51635f;--line:#dbe7e4;--main:#0f6e66;--card:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#0e1211;--ink:#ebf6f4;--soft:#a3adab;--line:#262a2a;--main:#4fc7b8;--card:#161a19}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,1fr);place-items:center;background:var(--ground);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:44rem;padding:3rem 1.25rem}
h1{margin:0 0 .25rem;font-size:2.25rem;line-height:1.2;letter-spacing:-.02em}
p{margin:0 0 1.75rem;color:var(--soft);max-width:34rem}
ul{list-style:none;margin:0 0 2rem;padding:0;display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr))}
a{color:inherit}
li a{display:block;height:100%;padding:1rem 1.125rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card);text-decoration:none}
li a:hover{border-color:var(--main)}
a:focus-visible{outline:2px solid var(--main);outline-offset:2px}
strong{display:block;color:var(--main)}
span{color:var(--soft);font-size:.9375rem}
pre{margin:0;padding:1rem 1.125rem;overflow-x:auto;border:1px solid var(--line);border-radius:.75rem;background:var(--card);font:.875rem/1.6 ui-monospace,SFMono-Regular,Menlo,monospace}
`

const policy = [
  "default-src 'none'",
  'img-src data:',
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function addWelcome(app: FastifyInstance, parts: Pick<Parts, 'db' | 'env'>): void {
  app.get('/', async (request, reply) => {
    // Whoever has signed in here comes to work; the app finds out whether the session still holds.
    if (readCookie(request.headers.cookie, sessionCookieName(parts.env.urls)) !== undefined)
      return reply.redirect(`${mountOf(parts.env.urls)}/app`, 302)
    const sample = await sampleUrl(parts)
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-cache')
      .send(page(parts.env.urls.app, sample))
  })
}

const page = (app: string, sample: string | undefined): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Lectern</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main>
<h1>Lectern</h1>
<p>Documentation hosting that you run yourself. It is up and running.</p>
<ul>${cards(mountOf({ app }), sample)}</ul>
<pre><code>curl -H "Authorization: Bearer $TOKEN" ${escaped(app)}/v1/orgs</code></pre>
</main>
</body>
</html>
`

function cards(mount: string, sample: string | undefined): string {
  const guide = sample === undefined ? [] : guideCards(sample)
  const reference = card(`${mount}/reference`, 'API reference', 'Every operation, to read and to try.')
  const contract = card(`${mount}/v1/openapi.json`, 'OpenAPI document', 'For clients in any language.')
  const app = card(`${mount}/app`, 'Open the app', 'Sign in and write: spaces, change requests, sites.')
  return [app, ...guide, reference, contract].join('')
}

const guideCards = (sample: string): string[] => [
  card(sample, 'Sample site', 'The guide to Lectern, published as readers see it.'),
  card(`${sample}/start/first-steps`, 'First steps', 'Where the guide begins: ten requests from nothing to a site.'),
]

const card = (href: string, title: string, text: string): string =>
  `<li><a href="${escaped(href)}"><strong>${title}</strong><span>${text}</span></a></li>`

/** Addresses come from the settings, and may hold an ampersand. */
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
