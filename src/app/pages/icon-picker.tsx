/** Choosing an emoji: a grid to click in, and a field that takes any emoji the keyboard can write. */
import * as Ariakit from '@ariakit/react'
import { type ReactElement, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { t } from '../texts/index.ts'
import { emojiChoices } from './emoji-choices.ts'

interface IconPickerProps {
  label: string
  button: ReactElement
  canEdit: boolean
  /** The emoji as it is stored, or nothing to take it away. */
  onChoose: (emoji: string | undefined) => void
}

export function IconPicker({ label, button, canEdit, onChoose }: IconPickerProps) {
  const [open, setOpen] = useState(false)
  const [words, setWords] = useState('')
  const choose = (emoji: string | undefined): void => {
    setOpen(false)
    setWords('')
    onChoose(emoji)
  }
  const found = emojiChoices.filter(({ names }) => names.includes(words.trim().toLowerCase())).slice(0, 160)
  const written = /\p{Extended_Pictographic}/u.test(words) ? words.trim() : undefined
  if (!canEdit) return button
  return (
    <Ariakit.PopoverProvider open={open} setOpen={setOpen} placement="bottom-start">
      <Ariakit.PopoverDisclosure render={button} aria-label={label} />
      <Ariakit.Popover className="ui-popover ui-emoji-picker" gutter={4} portal unmountOnHide aria-label={label}>
        <div className="ui-emoji-head">
          <input
            className="ui-input"
            aria-label={t.page.findEmoji}
            placeholder={t.page.findEmoji}
            value={words}
            onChange={({ target }) => setWords(target.value)}
            onKeyDown={(event) => {
              const first = written ?? found[0]?.emoji
              if (event.key === 'Enter' && first) choose(codeOf(first))
            }}
          />
          <Button kind="quiet" onClick={() => choose(undefined)}>
            {t.page.removeIcon}
          </Button>
        </div>
        <div className="ui-emoji-grid">
          {written && <EmojiButton emoji={written} names={written} onChoose={choose} />}
          {found.map(({ emoji, names }) => (
            <EmojiButton key={emoji} emoji={emoji} names={names} onChoose={choose} />
          ))}
        </div>
      </Ariakit.Popover>
    </Ariakit.PopoverProvider>
  )
}

const EmojiButton = ({
  emoji,
  names,
  onChoose,
}: {
  emoji: string
  names: string
  onChoose: (code: string) => void
}) => (
  <button type="button" className="emoji" aria-label={names} title={names} onClick={() => onChoose(codeOf(emoji))}>
    {emoji}
  </button>
)

/** Emoji are stored as the code points they are made of. */
export const codeOf = (emoji: string): string =>
  Array.from(emoji, (sign) => (sign.codePointAt(0) ?? 0).toString(16)).join('-')
