/** People, and teams where they are wanted too, are found by name and ticked. What is ticked stays so while one searches on. */
import { useState } from 'react'
import { Loaded } from '../kit/empty.tsx'
import { Check, TextField } from '../kit/field.tsx'
import { useDelayed } from '../kit/lists/delayed.ts'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { useLongList } from '../session/long-list.ts'
import { organizationTexts as texts } from '../texts/organization.ts'

/** Ids by kind. */
export interface Picked {
  users: readonly string[]
  teams: readonly string[]
}

export const nobody: Picked = { users: [], teams: [] }

interface PeoplePickerProps {
  organizationId: string
  picked: Picked
  /** Who has it already. */
  there: Picked
  withTeams?: boolean
  onPick: (picked: Picked) => void
}

export function PeoplePicker({ organizationId, picked, there, withTeams = false, onPick }: PeoplePickerProps) {
  const [words, setWords] = useState('')
  const search = useDelayed(words.trim())
  const members = useLongList('listMembersInOrganizationById', {
    organizationId,
    query: { sort: 'name', order: 'asc', limit: 20, ...(search && { search }) },
  })
  const teams = useLongList(
    'listTeamsInOrganizationById',
    { organizationId, query: { limit: 20, ...(search && { title: search }) } },
    { enabled: withTeams },
  )
  const toggle = (kind: keyof Picked, id: string): void => {
    const before = picked[kind]
    onPick({ ...picked, [kind]: before.includes(id) ? before.filter((one) => one !== id) : [...before, id] })
  }
  const row = (kind: keyof Picked, id: string, label: string, detail: string | undefined) => (
    <Check
      key={id}
      label={label}
      hint={there[kind].includes(id) ? texts.pick.there : detail}
      checked={there[kind].includes(id) || picked[kind].includes(id)}
      disabled={there[kind].includes(id)}
      onChange={() => toggle(kind, id)}
    />
  )
  const chosen = picked.users.length + picked.teams.length
  return (
    <>
      <TextField
        type="search"
        label={texts.pick.search}
        maxLength={256}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        // Enter searches; it does not send the form before anyone is ticked.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="ui-pick">
        {withTeams && (teams.data?.items.length ?? 0) > 0 && (
          <fieldset className="ui-fieldset">
            <legend>{texts.pick.teams}</legend>
            {teams.data?.items.map(({ id, title, members: n }) => row('teams', id, title, texts.teams.members(n)))}
            <MoreButton list={teams} />
          </fieldset>
        )}
        <fieldset className="ui-fieldset">
          <legend>{texts.pick.people}</legend>
          <Loaded query={members} lines={3}>
            {({ items }) =>
              items.length === 0 ? (
                <p className="ui-quiet">{texts.pick.none}</p>
              ) : (
                items.map(({ user }) => row('users', user.id, user.displayName, user.email))
              )
            }
          </Loaded>
          <MoreButton list={members} />
        </fieldset>
      </div>
      <p className="ui-hint" role="status">
        {chosen > 0 && texts.pick.chosen(chosen)}
      </p>
    </>
  )
}
