/** Which grammar highlights code in a language, as people name it. */

const plain = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'none'])
/** Names that other highlighters have, which the docs of many projects were written for, and dialects. */
export const renamed: Readonly<Record<string, string>> = {
  curl: 'bash',
  ksh: 'bash',
  'shell-session': 'shellsession',
  dos: 'bat',
  golang: 'go',
  env: 'dotenv',
  markup: 'html',
  plist: 'xml',
  svg: 'xml',
  rss: 'xml',
  atom: 'xml',
  mathml: 'xml',
  arduino: 'cpp',
  objectivec: 'objective-c',
  vbnet: 'vb',
  'visual-basic': 'vb',
  mysql: 'sql',
  postgres: 'sql',
  postgresql: 'sql',
  tsql: 'sql',
  gradle: 'groovy',
  apacheconf: 'apache',
  django: 'jinja',
  jinja2: 'jinja',
  node: 'js',
  nodejs: 'js',
  react: 'jsx',
  sol: 'solidity',
  wat: 'wasm',
}

/** Nothing for what is to be shown plain. */
export function grammarOf(language: string): string | undefined {
  const name = language.trim().toLowerCase()
  return plain.has(name) || name.length > 40 ? undefined : (renamed[name] ?? name)
}
