/** Data of blocks that the panel of a block shows no field for: it has a control of its own, or none. */
export const hiddenFields: ReadonlySet<string> = new Set([
  'refDark',
  'action',
  'tags',
  'props',
  'integration',
  'block',
  'checked',
  'description.prompt',
  'change',
])
