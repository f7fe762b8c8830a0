/** What runs of highlighted code are, and the classes that the style sheet colours them by. */

/** For each line, pairs of kind (an index into `tokenKinds`) and length in UTF-16 units. */
export type Highlighted = readonly (readonly number[])[]

export const tokenKinds = [
  '',
  'comment',
  'keyword',
  'string',
  'number',
  'function',
  'type',
  'tag',
  'attribute',
  'punctuation',
  'inserted',
  'deleted',
  'strong',
  'emphasis',
] as const

/** Class names of the kinds. Two letters a run: a page of code has thousands of them. */
const tokenClasses: Readonly<Record<(typeof tokenKinds)[number], string>> = {
  '': '',
  comment: 'cc',
  keyword: 'ck',
  string: 'cs',
  number: 'cn',
  function: 'cf',
  type: 'cy',
  tag: 'cg',
  attribute: 'ca',
  punctuation: 'cp',
  inserted: 'ci',
  deleted: 'cd',
  strong: 'cb',
  emphasis: 'ce',
}

/** The class of a kind by its number; empty for what is plain. */
export const tokenClass = (kind: number): string => tokenClasses[tokenKinds[kind] ?? '']
