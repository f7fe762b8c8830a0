import { describe, expect, it } from 'vitest'
import { isExternal, safeUrl } from '../../src/core/safe-url.ts'
import { frameHosts, frameOf } from '../../src/site/render/embeds.ts'

describe('safeUrl', () => {
  it.each([
    'https://example.com/a?b#c',
    'http://example.com',
    'mailto:a@example.com',
    'tel:+4912345',
    '/docs/page',
    '../up',
    'page',
    '#anchor',
    '?q=1',
    '//example.com/x',
    'a:b/../c'.replace('a:b', 'x'),
  ])('lets %s pass', (url) => {
    expect(safeUrl(url)).toBe(url)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' \u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'java\tscript:alert(1)',
    'javascript\u200b:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'vbscript:msgbox(1)',
    'blob:https://example.com/1',
    'file:///etc/passwd',
    'filesystem:https://x/y',
    'intent://x#Intent;scheme=javascript;end',
    'http:javascript:alert(1)',
    'https:/\\',
    'view-source:javascript:alert(1)',
    '',
    '   ',
    'x'.repeat(9_000),
  ])('drops %j', (url) => {
    expect(safeUrl(url)).toBeUndefined()
  })

  it('turns backslashes that a browser reads as slashes', () => {
    expect(safeUrl('\\\\evil.example')).toBe('//evil.example')
    expect(isExternal('//evil.example', 'https://docs.example')).toBe(true)
  })
})

describe('frames', () => {
  it('go only to hosts the policy names', () => {
    const urls = [
      'https://youtu.be/dQw4w9WgXcQ?t=10',
      'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
      'https://vimeo.com/76979871',
      'https://www.loom.com/share/0123456789abcdef0123456789abcdef',
      'https://codepen.io/team/pen/abcDEF',
      'https://codesandbox.io/s/new',
      'https://www.figma.com/design/abc/x',
      'https://stackblitz.com/edit/node',
      'https://open.spotify.com/track/abc',
      'https://docs.google.com/document/d/abc/edit',
    ]
    for (const url of urls) expect(frameHosts, url).toContain(new URL(frameOf(url)?.src ?? 'about:blank').origin)
  })

  it.each([
    'https://evil.example/youtube.com/watch?v=dQw4w9WgXcQ',
    'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
    'https://example.com',
    'https://www.youtube.com/redirect?q=x',
  ])('never go to %s', (url) => {
    expect(frameOf(url)).toBeUndefined()
  })
})
