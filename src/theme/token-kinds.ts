/** What runs of highlighted code are, and the classes that the style sheet colours them by. */

/** For each line, pairs of kind (an index into `tokenKinds`) and length in UTF-16 units. */
export type Highlighted = readonly (readonly number[])[]

/** Each with its class, of two letters: a page of code has thousands of runs. What is plain has none. */
const classOfKind = [
  ['', ''],
  ['comment', 'cc'],
  ['keyword', 'ck'],
  ['string', 'cs'],
  ['number', 'cn'],
  ['function', 'cf'],
  ['type', 'cy'],
  ['tag', 'cg'],
  ['attribute', 'ca'],
  ['punctuation', 'cp'],
  ['inserted', 'ci'],
  ['deleted', 'cd'],
  ['strong', 'cb'],
  ['emphasis', 'ce'],
] as const

export const tokenKinds = classOfKind.map(([kind]) => kind)

/** The class of a kind by its number; empty for what is plain. */
export const tokenClass = (kind: number): string => classOfKind[kind]?.[1] ?? ''
