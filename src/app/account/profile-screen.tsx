/** The person: language and appearance on this device, password, sessions and API tokens. */
import { Copy, Plus } from 'lucide-react'
import { useState } from 'react'
import { Frame, Top } from '../frame/frame.tsx'
import { HomeSide } from '../home/home-side.tsx'
import { Avatar } from '../kit/avatar.tsx'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { SavedField, Select, TextField } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { useSession } from '../session/session.tsx'
import { useStored } from '../session/stored.ts'
import { accountTexts } from '../texts/account.ts'
import { chooseLanguage, language, languages, t } from '../texts/index.ts'

export default function ProfileScreen() {
  const { user } = useSession()
  const [scheme, setScheme] = useStored('lectern-theme', 'system')
  const rename = useAction((displayName: string) => call('updateAuthenticatedUser', { body: { displayName } }), {
    refreshes: ['getAuthenticatedUser', 'listMembersInOrganizationById'],
    onDone: () => showDone(t.common.saved),
  })
  return (
    <Frame side={<HomeSide />}>
      <Top title={accountTexts.title} />
      <header className="ui-profile">
        <Avatar name={user.displayName} photo={user.photoURL} size={32} />
        <div>
          <h1>{user.displayName}</h1>
          <p className="ui-quiet">{user.email}</p>
        </div>
      </header>
      <div className="ui-form ui-two">
        <SavedField
          label={accountTexts.name}
          value={user.displayName}
          maxLength={100}
          onSave={(name) => rename.mutate(name)}
        />
      </div>
      <div className="ui-form ui-two">
        <Select
          label={accountTexts.language}
          value={language}
          onChange={({ target }) => chooseLanguage(target.value === 'de' ? 'de' : 'en')}
          options={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        />
        <Select
          label={accountTexts.appearance}
          value={scheme}
          onChange={({ target }) => {
            document.documentElement.dataset.theme = target.value
            setScheme(target.value)
          }}
          options={(['light', 'dark', 'system'] as const).map((value) => ({ value, label: t.nav[value] }))}
        />
      </div>
      <Password />
      <Sessions />
      <Tokens />
    </Frame>
  )
}

function Password() {
  const [open, setOpen] = useState(false)
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const change = useAction(
    () => call('updatePassword', { body: { password, ...(current === '' ? {} : { current }) } }),
    {
      refreshes: ['listSessions'],
      onDone: () => {
        setOpen(false)
        setCurrent('')
        setPassword('')
        showDone(accountTexts.passwordChanged)
      },
    },
  )
  return (
    <section aria-labelledby="password">
      <header className="ui-heading">
        <h2 id="password">{accountTexts.password}</h2>
        <Button onClick={() => setOpen(true)}>{accountTexts.changePassword}</Button>
      </header>
      <FormDialog
        open={open}
        onClose={() => setOpen(false)}
        title={accountTexts.changePassword}
        action={t.common.save}
        busy={change.isPending}
        disabled={password.length < 10}
        onSubmit={() => change.mutate(undefined)}
      >
        <TextField
          label={accountTexts.currentPassword}
          hint={accountTexts.currentPasswordHint}
          type="password"
          autoComplete="current-password"
          value={current}
          onChange={({ target }) => setCurrent(target.value)}
        />
        <TextField
          label={accountTexts.newPassword}
          hint={accountTexts.newPasswordHint}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </FormDialog>
    </section>
  )
}

function Sessions() {
  const sessions = useCall('listSessions', { query: { limit: 100 } })
  const end = useAction((sessionId: string) => call('deleteSession', { sessionId }), { refreshes: ['listSessions'] })
  return (
    <section aria-labelledby="sessions">
      <header className="ui-heading">
        <h2 id="sessions">{accountTexts.sessions}</h2>
      </header>
      <Loaded query={sessions} lines={2}>
        {({ items }) => (
          <ul className="ui-list">
            {items.map(({ id, userAgent, address, lastUsedAt, current }) => (
              <li key={id} className="ui-row">
                <span className="title">
                  {browserOf(userAgent)}
                  <small>{address}</small>
                </span>
                <span className="meta">{current ? accountTexts.thisSession : <When time={lastUsedAt} />}</span>
                {!current && (
                  <Button kind="quiet" className="small" onClick={() => end.mutate(id)}>
                    {accountTexts.endSession}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  )
}

/** Enough of a browser's own name to recognise it. */
function browserOf(userAgent: string): string {
  const browser =
    /(Firefox|Edg|Chrome|Safari)\/[\d.]+/.exec(userAgent)?.[1]?.replace('Edg', 'Edge') ?? userAgent.slice(0, 40)
  const system = /Windows|Mac OS X|Android|iPhone|iPad|Linux/.exec(userAgent)?.[0]
  return system ? `${browser}, ${system}` : browser
}

function Tokens() {
  const tokens = useCall('listApiTokens', { query: { limit: 100 } })
  const [asking, setAsking] = useState(false)
  const [label, setLabel] = useState('')
  const [made, setMade] = useState<string | undefined>()
  const create = useAction(() => call('createApiToken', { body: { label: label.trim() } }), {
    refreshes: ['listApiTokens'],
    onDone: ({ token }) => {
      setMade(token)
      setAsking(false)
      setLabel('')
    },
  })
  const revoke = useAction((tokenId: string) => call('deleteApiToken', { tokenId }), {
    refreshes: ['listApiTokens'],
    onDone: () => showDone(accountTexts.tokenDeleted),
  })
  return (
    <section aria-labelledby="tokens">
      <header className="ui-heading">
        <h2 id="tokens">{accountTexts.tokens}</h2>
        <Button icon={Plus} onClick={() => setAsking(true)}>
          {accountTexts.newToken}
        </Button>
      </header>
      <p className="ui-quiet">{accountTexts.tokensText}</p>
      {made && (
        <div className="ui-token" role="status">
          <p>{accountTexts.tokenMade}</p>
          <code>{made}</code>
          {navigator.clipboard !== undefined && (
            <Button
              icon={Copy}
              onClick={() => void navigator.clipboard.writeText(made).then(() => showDone(t.common.copied))}
            >
              {t.common.copy}
            </Button>
          )}
        </div>
      )}
      <Loaded query={tokens} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{accountTexts.noTokens}</p>
          ) : (
            <ul className="ui-list">
              {items.map(({ id, label: name, createdAt, lastUsedAt }) => (
                <li key={id} className="ui-row">
                  <span className="title">
                    {name}
                    <small>
                      {accountTexts.created} <When time={createdAt} />
                    </small>
                  </span>
                  <span className="meta">
                    {lastUsedAt ? (
                      <>
                        {accountTexts.lastUsed} <When time={lastUsedAt} />
                      </>
                    ) : (
                      accountTexts.neverUsed
                    )}
                  </span>
                  <Button kind="quiet" className="small" onClick={() => revoke.mutate(id)}>
                    {accountTexts.revoke}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={accountTexts.newToken}
        action={t.common.create}
        busy={create.isPending}
        disabled={label.trim() === ''}
        onSubmit={() => create.mutate(undefined)}
      >
        <TextField
          label={accountTexts.tokenLabel}
          maxLength={50}
          value={label}
          onChange={({ target }) => setLabel(target.value)}
        />
      </FormDialog>
    </section>
  )
}
