/** Where a comment is written. An @ and the beginning of a name finds people, who are told that they were mentioned. */
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../kit/button.tsx'
import { useCall } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { type DraftSubject, useDraft } from './drafts.ts'
import { findPeople, followEdit, type Person, type TypedName, typedName, writeMentions } from './mentions.ts'

interface ComposerProps {
  label: string
  /** What is written about: an unsent text stays with it. */
  subject: DraftSubject
  /** Whoever asked to comment goes on writing. */
  autoFocus?: boolean
  action: string
  busy: boolean
  onSend: (text: string) => Promise<unknown>
}

export function Composer({ label, subject, autoFocus = false, action, busy, onSend }: ComposerProps) {
  const [{ text, chosen }, keep] = useDraft(subject)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  const naming = useNaming(text, (person, { at, end }) => {
    const before = `${text.slice(0, at)}@${person.name} `
    const after = before + text.slice(end).replace(/^ /, '')
    const others = followEdit(chosen, { before: text, after, cursor: before.length })
    // The name is there before the next key: the cursor is put behind it at once.
    flushSync(() => keep({ text: after, chosen: [...others, { at, person }] }))
    field.current?.setSelectionRange(before.length, before.length)
  })
  const send = async (event?: FormEvent): Promise<void> => {
    event?.preventDefault()
    if (text.trim() === '' || busy) return
    // A refusal is told elsewhere; the words stay in the field.
    await onSend(writeMentions(text, chosen).trim()).then(
      () => keep({ text: '', chosen: [] }),
      () => {},
    )
  }
  return (
    <form className="ui-composer" onSubmit={(event) => void send(event)}>
      <textarea
        ref={field}
        className="ui-input"
        rows={2}
        dir="auto"
        aria-label={label}
        placeholder={label}
        value={text}
        {...naming.props}
        onChange={({ target }) => {
          const edit = { before: text, after: target.value, cursor: target.selectionStart }
          keep({ text: target.value, chosen: followEdit(chosen, edit) })
          naming.change(target.value, target.selectionStart)
        }}
        onBlur={naming.close}
        onKeyDown={(event) => {
          if (naming.key(event)) return
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void send()
        }}
      />
      {naming.list}
      <Button
        type="submit"
        kind={text.trim() === '' ? 'plain' : 'primary'}
        busy={busy}
        disabled={text.trim() === '' || busy}
      >
        {action}
      </Button>
    </form>
  )
}

/** The list of people beside the field, which keeps the keyboard. */
function useNaming(text: string, choose: (person: Person, typed: TypedName) => void) {
  const { organization } = useSession()
  const [typed, setTyped] = useState<TypedName>()
  const [active, setActive] = useState(0)
  const id = useId()
  const members = useCall(
    'listMembersInOrganizationById',
    { organizationId: organization?.id ?? '', query: { limit: 1000 } },
    { enabled: typed !== undefined && organization !== undefined, staleTime: 60_000 },
  )
  const people = (members.data?.items ?? []).map(({ user }) => ({
    id: user.id,
    name: user.displayName,
    detail: user.email ?? '',
  }))
  const found = typed === undefined ? [] : findPeople(people, text.slice(typed.at + 1, typed.end))
  const isOpen = found.length > 0
  const take = (person: Person | undefined): void => {
    if (person !== undefined && typed !== undefined) choose(person, typed)
    setTyped(undefined)
  }
  const key = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.metaKey || event.ctrlKey || event.nativeEvent.isComposing) return false
    if (event.key === 'ArrowDown') setActive((active + 1) % found.length)
    else if (event.key === 'ArrowUp') setActive((active + found.length - 1) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(found[active])
    else if (event.key === 'Escape') setTyped(undefined)
    else return false
    event.preventDefault()
    event.stopPropagation()
    return true
  }
  const list = isOpen && (
    <div className="ui-mentions" role="listbox" id={id} aria-label={t.comments.people}>
      {found.map((person, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field, which keeps the focus.
        <div
          key={person.id}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(person)}
        >
          {person.name}
          {person.detail !== '' && found.filter(({ name }) => name === person.name).length > 1 && (
            <span className="ui-hint"> {person.detail}</span>
          )}
        </div>
      ))}
    </div>
  )
  return {
    list,
    key,
    close: () => setTyped(undefined),
    change(words: string, cursor: number): void {
      setActive(0)
      setTyped(typedName(words, cursor))
    },
    props: isOpen
      ? ({
          role: 'combobox',
          'aria-expanded': true,
          'aria-autocomplete': 'list',
          'aria-controls': id,
          'aria-activedescendant': `${id}-${active}`,
        } as const)
      : {},
  }
}
