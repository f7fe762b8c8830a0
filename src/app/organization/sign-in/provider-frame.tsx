/** What the screens of both kinds of provider have: how it is, the way to try it and to delete it, and who newcomers become. */
import { ArrowLeft, ExternalLink, Trash2 } from 'lucide-react'
import type { FormEvent, ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { paths } from '../../frame/paths.ts'
import { useAsked } from '../../kit/asked.ts'
import { Button } from '../../kit/button.tsx'
import { FormDialog } from '../../kit/dialog.tsx'
import { Select, TextField } from '../../kit/field.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { memberRoles, type RoleOrGuest, RoleSelect } from '../../rights/roles.tsx'
import { refresh, useCall } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { organizationTexts } from '../../texts/organization.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'
import { staleProviders } from '../stale.ts'

const texts = organizationTexts.signIn

interface ProviderFrameProps extends PartOfOrganization {
  provider: { id: string; label: string; status: 'active' | 'pending'; service: { startURL: string } }
  kind: 'saml' | 'oidc'
  remove: () => Promise<unknown>
  children: ReactNode
}

export function ProviderFrame({ organization, provider, kind, remove, children }: ProviderFrameProps) {
  const [, navigate] = useLocation()
  const asking = useAsked<true>()
  const list = paths.organizationTab(organization.id, 'sign-in')
  const { label, status, service } = provider
  const removal = useFormAction(remove, {
    onDone: () => {
      asking.close()
      navigate(list)
      void refresh(...staleProviders)
      showDone(texts.removed(label))
    },
  })
  return (
    <>
      <p className="ui-back">
        <Link className="ui-link" href={list}>
          <ArrowLeft size={14} strokeWidth={1.75} aria-hidden="true" />
          {texts.back}
        </Link>
      </p>
      <header className="ui-heading">
        <h2>{label}</h2>
        <div className="ui-heading-actions">
          {status === 'active' && (
            <a className="ui-button plain" href={service.startURL} target="_blank" rel="noreferrer">
              <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
              <span>{texts.test}</span>
            </a>
          )}
          <Button kind="danger" icon={Trash2} onClick={() => asking.ask(true)}>
            {texts.remove}
          </Button>
        </div>
      </header>
      <p className="ui-request-meta">
        <span className="ui-state" data-state={status === 'active' ? 'live' : 'draft'}>
          {texts.states[status]}
        </span>
        {status === 'active' ? texts.testHint : texts.missing[kind]}
      </p>
      {children}
      <FormDialog
        open={asking.open}
        onClose={asking.close}
        title={texts.removeTitle(label)}
        action={texts.remove}
        busy={removal.isPending}
        onSubmit={() => removal.mutate(undefined)}
      >
        <p>{texts.removeText}</p>
        <FormProblem error={removal.error} />
      </FormDialog>
    </>
  )
}

interface ProviderFormProps {
  busy: boolean
  disabled: boolean
  error: unknown
  onSubmit: () => void
  children: ReactNode
}

export function ProviderForm({ busy, disabled, error, onSubmit, children }: ProviderFormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!busy && !disabled) onSubmit()
  }
  return (
    <form className="ui-form ui-provider" onSubmit={submit}>
      {children}
      <FormProblem error={error} />
      <div className="ui-request-actions">
        <Button kind="primary" type="submit" busy={busy} disabled={busy || disabled}>
          {t.common.save}
        </Button>
      </div>
    </form>
  )
}

export interface CommonFields {
  label: string
  defaultRole: RoleOrGuest
  /** None is the empty text. */
  defaultTeam: string
}

interface CommonFieldsProps {
  organizationId: string
  fields: CommonFields
  onChange: (changed: Partial<CommonFields>) => void
}

/** What it is called here, and what people become who come by it for the first time. */
export function CommonFieldsOf({ organizationId, fields, onChange }: CommonFieldsProps) {
  const teams = useCall('listTeamsInOrganizationById', { organizationId, query: { limit: 1000 } })
  return (
    <>
      <TextField
        label={texts.label}
        maxLength={64}
        value={fields.label}
        onChange={({ target }) => onChange({ label: target.value })}
      />
      <RoleSelect
        label={texts.newcomerRole}
        hint={texts.newcomerHint}
        value={fields.defaultRole}
        among={memberRoles}
        onChoose={(defaultRole) => onChange({ defaultRole })}
      />
      <Select
        label={texts.newcomerTeam}
        value={fields.defaultTeam}
        onChange={({ target }) => onChange({ defaultTeam: target.value })}
        options={[
          { value: '', label: texts.noTeam },
          ...(teams.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
    </>
  )
}
