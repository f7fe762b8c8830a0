/** E-mail addresses as they are typed, or copied from a letter: `Ada Lovelace <ada@example.org>`. */
export const addressesIn = (text: string): string[] =>
  text
    .replace(/[^,;\n]*<([^<>]*)>/g, ' $1 ')
    .split(/[\s,;]+/)
    .filter((part) => part !== '')

export const isAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text)
