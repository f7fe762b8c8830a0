/** Which grammar highlights code in a language, as people name it. */

const plain = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'none'])
const renamed: Readonly<Record<string, string>> = {
  curl: 'bash',
  console: 'shellsession',
  golang: 'go',
  env: 'dotenv',
  plist: 'xml',
  svg: 'xml',
  'c++': 'cpp',
  objectivec: 'objective-c',
}

/** Nothing for what is to be shown plain. */
export function grammarOf(language: string): string | undefined {
  const name = language.trim().toLowerCase()
  return plain.has(name) || name.length > 40 ? undefined : (renamed[name] ?? name)
}
