import { describe, expect, it } from 'vitest'
import { WebUrl } from '../../src/core/shapes.ts'

const reads = (url: string): boolean => WebUrl.safeParse(url).success

describe('an address of the web', () => {
  it.each([
    'https://example.org',
    'HTTP://EXAMPLE.ORG:8080/a b'.replace(' ', '%20'),
    'https://user:word@example.org/',
    'https://[::1]:65535/x?y#z',
    'https://bücher.example/日本語?q=ü',
    'http://127.0.0.1:3000?x',
    'https://example.org/a\\b|c"d',
  ])('is %s', (url) => {
    expect(reads(url)).toBe(true)
    expect(URL.canParse(url)).toBe(true)
  })

  it.each([
    'http://[',
    'https://example.org:port/',
    'https://example.org:65536/',
    'https://a"b/',
    'https://%zz/',
    'https://a\\b/',
    'https://example.org/a b',
    'https://example.org/\u0001',
    'https:example.org',
    'ftp://example.org/',
    '//example.org/',
  ])('is not %s', (url) => {
    expect(reads(url)).toBe(false)
  })
})
