/** The first minute: a name for the organization, a name for the first space, and the page is open. */
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { writeAtOnce } from '../pages/write-at-once.ts'
import { call, refresh, useAction } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { stored } from '../session/stored.ts'
import { t } from '../texts/index.ts'
import { welcomedKey } from './first-start.ts'

/** With `?first` the organization of the first start gets its real name; otherwise there will be one more. */
export default function WelcomeScreen() {
  const { organization, chooseOrganization } = useSession()
  const isFirst = new URLSearchParams(location.search).has('first') && organization?.permissions.admin === true
  const [name, setName] = useState('')
  const [space, setSpace] = useState('')
  const [, navigate] = useLocation()
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => {
    document.title = `${t.welcome.title} · Lectern`
    first.current?.focus()
  }, [])
  const start = useAction(
    async () => {
      const title = name.trim()
      const home =
        isFirst && organization
          ? await call('updateOrganizationById', { organizationId: organization.id, body: { title } })
          : await call('createOrganization', { body: { title } })
      const made = await call('createSpace', {
        organizationId: home.id,
        body: { title: space.trim() || t.welcome.spacePlaceholder, editMode: 'live', empty: true },
      })
      const { changes } = await call('updateSpaceContent', {
        spaceId: made.id,
        body: { changes: [{ operation: 'insert_page', title: t.welcome.pageTitle, document: {} }] },
      })
      const [page] = changes
      return { organization: home.id, space: made.id, page: page?.object === 'created_page' ? page.page.id : undefined }
    },
    {
      onDone: async (made) => {
        await refresh('listOrganizationsForAuthenticatedUser')
        chooseOrganization(made.organization)
        navigate(made.page ? paths.page(made.space, made.page) : paths.space(made.space), { state: writeAtOnce })
      },
    },
  )
  return (
    <main className="ui-welcome">
      <form
        className="ui-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim().length > 1) start.mutate(undefined)
        }}
      >
        <header>
          <h1>{t.welcome.title}</h1>
          <p className="ui-quiet">{t.welcome.text}</p>
        </header>
        <TextField
          ref={first}
          label={t.welcome.organization}
          placeholder={t.organization.namePlaceholder}
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label={t.welcome.space}
          placeholder={t.welcome.spacePlaceholder}
          maxLength={50}
          value={space}
          onChange={({ target }) => setSpace(target.value)}
        />
        <div className="ui-request-actions">
          <Button
            kind="primary"
            type="submit"
            busy={start.isPending}
            disabled={name.trim().length < 2 || start.isPending}
          >
            {t.welcome.start}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              stored.set(welcomedKey, 'yes')
              navigate(paths.home)
            }}
          >
            {t.welcome.later}
          </Button>
        </div>
      </form>
    </main>
  )
}
