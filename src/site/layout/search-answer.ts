/** What the search of a site answers. Types only: the server makes it, the browser script and search.ts show it. */

/** Text cut at the words that were found: even entries are plain, odd ones are the words. */
export type Snippet = readonly string[]

export interface SearchAnswer {
  query: string
  /** Best first. */
  pages: readonly SearchPage[]
  /** Pages that may help when nothing was found. */
  near: readonly { title: string; href: string }[]
}

export interface SearchPage {
  title: Snippet
  href: string
  icon?: string
  emoji?: string
  /** Section and parents, from the top. */
  path: readonly string[]
  /** Empty when only its sections matched. */
  snippet: Snippet
  sections: readonly { title: Snippet; href: string; snippet: Snippet }[]
}
