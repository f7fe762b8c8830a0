/** The classes by which the style sheets know how a site is styled. They stand on the root of its pages. */
import type { Styling } from '../core/customization/shape.ts'

export const rootClasses = ({ theme, links, sidebar, search, corners }: Styling): string[] => [
  `look-${theme}`,
  `links-${links}`,
  `list-${sidebar.list}`,
  `side-${sidebar.background}`,
  `search-${search}`,
  `corners-${corners}`,
]
