/** The group of settings about how the site is called and by what one knows it. */

import { customizationTexts } from '../../../texts/customization.ts'
import { emojiOf } from '../../../tree/page-icon.tsx'
import { TextSetting } from '../fields.tsx'
import { useCustomization } from '../form.tsx'
import { Pictures } from '../pictures.tsx'
import { withSetting } from '../settings.ts'

const texts = customizationTexts.brand

export function Brand() {
  const { settings, change, changePart } = useCustomization()
  const { emoji } = settings.favicon
  return (
    <>
      <TextSetting
        at="title"
        label={texts.title}
        hint={texts.titleHint}
        maxLength={128}
        value={settings.title ?? ''}
        onChange={(title) => change((before) => withSetting(before, 'title', title === '' ? undefined : title))}
      />
      <Pictures
        at="header.logo"
        label={texts.logo}
        hint={texts.logoHint}
        value={settings.header.logo}
        onChange={(logo) => changePart('header', { logo })}
      />
      <TextSetting
        at="favicon.emoji"
        label={texts.emoji}
        hint={texts.emojiHint}
        maxLength={64}
        // Stored as code points by some, as it looks by others.
        value={emoji === undefined ? '' : /^[\da-f]{4,}(?:-[\da-f]+)*$/i.test(emoji) ? emojiOf(emoji) : emoji}
        onChange={(text) => changePart('favicon', { emoji: text.trim() === '' ? undefined : text.trim() })}
      />
      <Pictures
        at="favicon.icon"
        label={texts.icon}
        hint={texts.iconHint}
        value={settings.favicon.icon}
        onChange={(icon) => changePart('favicon', { icon })}
      />
    </>
  )
}
