/** Roles as people read them: their names, what each may do, and the ways to choose one. */
import { ChevronDown, X } from 'lucide-react'
import { useId } from 'react'
import { type Role, roles } from '../../core/permissions.ts'
import { Select } from '../kit/field.tsx'
import { Menu } from '../kit/menu.tsx'
import { organizationTexts as texts } from '../texts/organization.ts'

export type RoleOrGuest = Role | 'guest'

/** The most able first. */
export const givenRoles: readonly Role[] = [...roles].reverse()
export const memberRoles: readonly RoleOrGuest[] = [...givenRoles, 'guest']

export const nameOfRole = (role: Role | null): string => texts.roleNames[role ?? 'guest']
export const asRole = (role: RoleOrGuest): Role | null => (role === 'guest' ? null : role)
const explained = (role: RoleOrGuest): string => `${texts.roleNames[role]}: ${texts.roleMeanings[role]}`

interface RoleSelectProps<R extends RoleOrGuest> {
  label?: string
  hint?: string
  value: R
  among: readonly R[]
  disabled?: boolean
  onChoose: (role: R) => void
}

export const RoleSelect = <R extends RoleOrGuest>({ label, among, onChoose, ...rest }: RoleSelectProps<R>) => (
  <Select
    label={label ?? texts.role}
    {...rest}
    onChange={({ target }) => {
      const chosen = among.find((role) => role === target.value)
      if (chosen !== undefined) onChoose(chosen)
    }}
    options={among.map((value) => ({ value, label: explained(value) }))}
  />
)

interface RoleMenuProps<R extends string> {
  /** Whose role it is. */
  name: string
  role: R
  among: readonly { value: R; name: string; meaning: string }[]
  onChoose: (role: R) => void
  remove?: { label: string; run: () => void }
}

/** A role that is changed where it stands. A menu, not a choice that arrow keys would change on their way. */
export function RoleMenu<R extends string>({ name, role, among, onChoose, remove }: RoleMenuProps<R>) {
  const present = among.find(({ value }) => value === role)?.name ?? role
  return (
    <Menu
      label={texts.roleOf(name, present)}
      button={
        <button type="button" className="ui-button quiet">
          <span>{present}</span>
          <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" />
        </button>
      }
      entries={[
        ...among.map(({ value, name: title, meaning }) => ({
          label: `${title}: ${meaning}`,
          checked: value === role,
          run: () => value !== role && onChoose(value),
        })),
        ...(remove ? [{ label: remove.label, icon: X, danger: true, apart: true, run: remove.run }] : []),
      ]}
    />
  )
}

export const choicesAmong = <R extends RoleOrGuest>(among: readonly R[]) =>
  among.map((value) => ({ value, name: texts.roleNames[value], meaning: texts.roleMeanings[value] }))

export function RolesExplained() {
  const id = useId()
  return (
    <details className="ui-explained">
      <summary id={id}>{texts.whatRoles}</summary>
      <p className="ui-hint">{texts.rolesText}</p>
      <dl className="ui-facts" aria-labelledby={id}>
        {[...memberRoles].reverse().map((role) => (
          <div key={role}>
            <dt>{texts.roleNames[role]}</dt>
            <dd>{texts.roleMeanings[role]}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
