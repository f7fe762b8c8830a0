/** Choosing the mark of a page: an emoji, which the keyboard may also write, or one of the icons that sites draw. */
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import type { Ariakit } from '../kit/layers.ts'
import { findIcons, NamedIcon, useDrawings } from '../kit/named-icons.tsx'
import { type ButtonElement, useShownAtOnce, WhenWanted } from '../kit/when-wanted.tsx'
import { t } from '../texts/index.ts'
import { emojiChoices } from './emoji-choices.ts'

/** An emoji as it is stored, an icon by its name, or neither. */
export type PageIcon = { emoji: string } | { icon: string } | undefined

interface IconPickerProps {
  label: string
  button: ButtonElement
  canEdit: boolean
  /** Spaces have emoji only, sections of a site icons only. */
  only?: 'emoji' | 'icon'
  onChoose: (icon: PageIcon) => void
}

export function IconPicker(props: IconPickerProps) {
  if (!props.canEdit) return props.button
  return (
    <WhenWanted label={props.label} popup="dialog" button={props.button}>
      {(ariakit) => <MadePicker {...props} ariakit={ariakit} />}
    </WhenWanted>
  )
}

function MadePicker({ ariakit, label, button, only, onChoose }: IconPickerProps & { ariakit: Ariakit }) {
  const [open, setOpen] = useState(false)
  useShownAtOnce(() => setOpen(true))
  const choose = (icon: PageIcon): void => {
    setOpen(false)
    onChoose(icon)
  }
  return (
    <ariakit.PopoverProvider open={open} setOpen={setOpen} placement="bottom-start">
      <ariakit.PopoverDisclosure render={button} aria-label={label} />
      <ariakit.Popover className="ui-popover ui-emoji-picker" gutter={4} portal unmountOnHide aria-label={label}>
        <Choices only={only} onChoose={choose} />
      </ariakit.Popover>
    </ariakit.PopoverProvider>
  )
}

function Choices({ only, onChoose }: { only: 'emoji' | 'icon' | undefined; onChoose: (icon: PageIcon) => void }) {
  const [kind, setKind] = useState<'emoji' | 'icon'>(only ?? 'emoji')
  const [words, setWords] = useState('')
  const drawings = useDrawings(kind === 'icon')
  const emoji = emojiChoices.filter(({ names }) => names.includes(words.trim().toLowerCase())).slice(0, 160)
  const written = /\p{Extended_Pictographic}/u.test(words) ? words.trim() : undefined
  const icons = kind === 'icon' && drawings ? findIcons(drawings, words) : []
  const chooseFirst = (): void => {
    const first = written ?? emoji[0]?.emoji
    if (kind === 'icon' && icons[0]) onChoose({ icon: icons[0] })
    else if (kind === 'emoji' && first) onChoose({ emoji: codeOf(first) })
  }
  const hint = kind === 'emoji' ? t.page.findEmoji : t.page.findIcon
  return (
    <>
      <div className="ui-emoji-head">
        <input
          className="ui-input"
          aria-label={hint}
          placeholder={hint}
          value={words}
          onChange={({ target }) => setWords(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && chooseFirst()}
        />
        <Button kind="quiet" onClick={() => onChoose(undefined)}>
          {t.page.removeIcon}
        </Button>
      </div>
      {only === undefined && (
        <div className="ui-tabs tight">
          {(['emoji', 'icon'] as const).map((one) => (
            <button key={one} type="button" className="ui-tab" aria-pressed={kind === one} onClick={() => setKind(one)}>
              {t.page[one]}
            </button>
          ))}
        </div>
      )}
      <div className="ui-emoji-grid">
        {kind === 'emoji' && written && (
          <Choice label={written} onChoose={() => onChoose({ emoji: codeOf(written) })}>
            {written}
          </Choice>
        )}
        {kind === 'emoji' &&
          emoji.map(({ emoji: sign, names }) => (
            <Choice key={sign} label={names} onChoose={() => onChoose({ emoji: codeOf(sign) })}>
              {sign}
            </Choice>
          ))}
        {icons.map((name) => (
          <Choice key={name} label={name} onChoose={() => onChoose({ icon: name })}>
            <NamedIcon name={name} size={18} />
          </Choice>
        ))}
      </div>
    </>
  )
}

interface ChoiceProps {
  label: string
  children: React.ReactNode
  onChoose: () => void
}

const Choice = ({ label, children, onChoose }: ChoiceProps) => (
  <button type="button" className="emoji" aria-label={label} title={label} onClick={onChoose}>
    {children}
  </button>
)

/** Emoji are stored as the code points they are made of. */
const codeOf = (emoji: string): string => Array.from(emoji, (sign) => (sign.codePointAt(0) ?? 0).toString(16)).join('-')
