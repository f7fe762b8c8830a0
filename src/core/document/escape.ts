/**
 * Escapes: Markdown's backslashes and character references.
 */
import { decodeHtml } from './html-scan.ts'

/** The word after a fence, with its escapes resolved. */
export function unescapeInfo(word: string): string {
  return decodeHtml(word.replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => `&#x${mark.charCodeAt(0).toString(16)};`))
}
