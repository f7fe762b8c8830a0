/** The kinds of call-outs that other tools have, each with the style of the hint that it becomes. */
import type { Hint } from '../tree/nodes.ts'

type Style = Hint['data']['style']

const stylesOf: Readonly<Record<Style, string>> = {
  info: 'note info important abstract summary tldr todo question help faq example quote cite secondary callout aside admonition alert hint default neutral',
  success: 'tip success check done idea',
  warning: 'warning caution attention warn',
  danger: 'danger error failure fail missing bug',
}
const styles = new Map<string, Style>()
for (const style of ['info', 'success', 'warning', 'danger'] as const)
  for (const kind of stylesOf[style].split(' ')) styles.set(kind, style)

export const calloutStyles: ReadonlyMap<string, Style> = styles
