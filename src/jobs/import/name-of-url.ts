/** What a file at an address is called: as it is spelt where that cannot be decoded. */
export function nameOfUrl(url: string, without = 'file'): string {
  const parts = new URL(url).pathname.split('/')
  const last = parts.findLast((part) => part !== '') ?? without
  return decode(last).replace(/[/\\\u0000-\u001f]/g, '-')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
