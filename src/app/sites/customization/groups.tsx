/** All settings of how a site looks, in groups that one opens. */
import type { ComponentType } from 'react'
import { customizationTexts } from '../../texts/customization.ts'
import { Announcement } from './groups/announcement.tsx'
import { Brand } from './groups/brand.tsx'
import { Colors } from './groups/colors.tsx'
import { Fonts } from './groups/fonts.tsx'
import { Footer } from './groups/footer.tsx'
import { Header } from './groups/header.tsx'
import { Pages } from './groups/pages.tsx'
import { Shape } from './groups/shape.tsx'
import { Sharing } from './groups/sharing.tsx'

type Name = 'brand' | 'colors' | 'type' | 'shape' | 'header' | 'footer' | 'announcement' | 'pages' | 'sharing'

/** Each with the settings in it. */
const groups: readonly [name: Name, Group: ComponentType, settings: RegExp][] = [
  ['brand', Brand, /^(title|favicon|header\.logo)/],
  ['colors', Colors, /^(styling\.(theme|\w+Color|tint|background)|themes)/],
  ['type', Fonts, /^styling\.(font|headingFont|monospaceFont|codeTheme)/],
  ['shape', Shape, /^styling\.(corners|depth|links|sidebar|search|icons)/],
  ['header', Header, /^header\.(preset|backgroundColor|linkColor|links)/],
  ['footer', Footer, /^footer/],
  ['announcement', Announcement, /^announcement/],
  ['pages', Pages, /^(pageActions|pagination|feedback|trademark|openapi|externalLinks)/],
  ['sharing', Sharing, /^(internationalization|socialPreview|privacyPolicy|socialAccounts)/],
]

/** What is wanted most is open, where there is room for it. */
const openAtFirst = matchMedia('(min-width: 1100px)').matches ? 2 : 0

const texts = customizationTexts.groups

export const Groups = ({ changed }: { changed: readonly string[] }) =>
  groups.map(([name, Group, settings], index) => (
    <details key={name} className="customization-group" open={index < openAtFirst} data-group={name}>
      <summary>
        <h2>{texts[name]}</h2>
        <span className="ui-hint">{texts[`${name}Text`]}</span>
        {changed.some((path) => settings.test(path)) && (
          <span className="customization-changed">{customizationTexts.changed}</span>
        )}
      </summary>
      <div className="ui-form">
        <Group />
      </div>
    </details>
  ))
