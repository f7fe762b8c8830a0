/**
 * Components: `<Tabs>`, `<Note>` and the like, as MDX and the well-known documentation kits have them. A name is known by
 * what it shows; a component that nobody knows is a box around its content.
 *
 * Placeholders are spelt alike (`<TOKEN>`, `Promise<User>`), so that a name of capitals alone is none, and an unknown one
 * counts only where it has an end.
 */

export type BlockRole =
  | 'accordion'
  | 'callout'
  | 'card'
  | 'cards'
  | 'code'
  | 'code-group'
  | 'column'
  | 'columns'
  | 'embed'
  | 'field'
  | 'frame'
  | 'hidden'
  | 'box'
  | 'step'
  | 'steps'
  | 'tab'
  | 'tabs'
export type InlineRole = 'badge' | 'button' | 'icon' | 'image' | 'keyboard' | 'link' | 'math' | 'tooltip'

const blockNames: Readonly<Record<BlockRole, string>> = {
  accordion: 'Accordion Collapse Collapsible Details Expandable Toggle',
  callout:
    'Admonition Alert Aside Callout Caution Check Danger Error Hint Important Info Note Question Success Tip Warning',
  card: 'Card Cards.Card LinkCard Tile',
  cards: 'CardGrid CardGroup CardList Cards TileGroup',
  code: 'Code CodeBlock',
  'code-group': 'CodeBlocks CodeGroup CodeTabs RequestExample ResponseExample',
  column: 'Column Col',
  columns: 'Columns Row',
  embed: 'Vimeo YouTube Youtube YouTubeEmbed',
  field: 'ParamField Property ResponseField',
  frame: 'Figure Frame Screenshot',
  // What these show is made of the site around them; where that is there, core/import/generators/doc-cards.ts writes it out.
  hidden: 'DocCardList Head TOCInline TableOfContents',
  box: 'AccordionGroup Accordions Box BrowserWindow FileTree Fragment Panel Preview Update',
  step: 'Step',
  steps: 'Stepper Steps',
  tab: 'Tab TabItem TabPanel Tabs.Tab',
  tabs: 'TabGroup Tabs',
}
const inlineNames: Readonly<Record<InlineRole, string>> = {
  badge: 'Badge Pill',
  button: 'Button LinkButton',
  icon: 'Icon',
  image: 'Image Img',
  keyboard: 'Kbd Key',
  link: 'Link NavLink',
  math: 'InlineMath Latex',
  tooltip: 'Tooltip',
}

const blockRoles = invert(blockNames)
const inlineRoles = invert(inlineNames)

export const blockRoleOf = (name: string): BlockRole | undefined => blockRoles.get(name)
export const inlineRoleOf = (name: string): InlineRole | undefined => inlineRoles.get(name)
export const isKnownComponent = (name: string): boolean => blockRoles.has(name) || inlineRoles.has(name)

/** Whether this is spelt as the name of a component. */
export const isComponentName = (name: string): boolean => /^[A-Z]/.test(name) && /[a-z]/.test(name)

/** A part whose end nobody wrote ends where the next one begins. */
export const isPartName = (name: string): boolean => {
  const role = blockRoles.get(name)
  return role === 'tab' || role === 'step' || role === 'column'
}

function invert<Role extends string>(names: Readonly<Record<Role, string>>): ReadonlyMap<string, Role> {
  const roles = new Map<string, Role>()
  for (const role in names) for (const name of names[role].split(' ')) roles.set(name, role)
  return roles
}
