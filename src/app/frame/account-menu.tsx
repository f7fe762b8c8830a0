/** The name of the organization, behind which are the others, the person's own things and the way out. */
import { Check, ChevronsUpDown, Keyboard, LogOut, Monitor, Moon, Plus, Sun, User } from 'lucide-react'
import { useSignOut } from '../account/sign-out.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Menu } from '../kit/menu.tsx'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { openKeys } from './keys.tsx'
import { paths } from './paths.ts'

const schemes = [
  { value: 'light', icon: Sun },
  { value: 'dark', icon: Moon },
  { value: 'system', icon: Monitor },
] as const

export function AccountMenu() {
  const { user, organization, organizations, chooseOrganization } = useSession()
  const [scheme, setScheme] = useStored('lectern-theme', 'system')
  const { start, dialog } = useSignOut()
  const name = organization?.title ?? 'Lectern'
  const choose = (value: string): void => {
    document.documentElement.dataset.theme = value
    setScheme(value)
  }
  return (
    <>
      <Menu
        label={`${name}, ${t.nav.account}`}
        placement="bottom-start"
        button={
          <button type="button" className="ui-organization">
            <span className="ui-organization-mark" aria-hidden="true">
              {[...name][0]?.toUpperCase()}
            </span>
            <span className="ui-organization-name">{name}</span>
            <ChevronsUpDown size={14} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
        entries={[
          ...(organizations.length > 1
            ? organizations.map(({ id, title }) => ({
                label: title,
                icon: id === organization?.id ? Check : undefined,
                checked: id === organization?.id,
                href: paths.home,
                run: () => chooseOrganization(id),
              }))
            : []),
          { label: t.nav.newOrganization, icon: Plus, href: '/welcome' },
          { label: t.nav.profile, icon: User, href: paths.profile, apart: true },
          { label: t.nav.keys, icon: Keyboard, shortcut: '?', run: openKeys },
          ...schemes.map(({ value, icon }, index) => ({
            label: t.nav[value],
            icon,
            checked: scheme === value,
            apart: index === 0,
            run: () => choose(value),
          })),
          { label: t.nav.signOut, icon: LogOut, apart: true, run: () => void start() },
        ]}
      >
        <div className="ui-menu-person">
          <Avatar name={user.displayName} photo={user.photoURL} size={32} />
          <div>
            <strong>{user.displayName}</strong>
            <span>{user.email}</span>
          </div>
        </div>
      </Menu>
      {dialog}
    </>
  )
}
