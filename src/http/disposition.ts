/** `Content-Disposition` (RFC 6266): whether a file is shown or saved, and under which name. */

export function dispositionOf(name: string, { inline }: { inline: boolean }): string {
  // Old clients read the plain form: letters that cannot be misread. The others read the second (RFC 8187).
  const plain = name.replace(/[^A-Za-z0-9 ._()-]/g, '_')
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded(name)}`
}

const encoded = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
