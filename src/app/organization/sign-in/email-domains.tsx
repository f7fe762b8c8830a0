/** Domains of e-mail addresses: a provider signs in only people of those that the organization has proven. */
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { CallFailed } from '../../../client/client.ts'
import { useAsked } from '../../kit/asked.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { FormDialog } from '../../kit/dialog.tsx'
import { Loaded } from '../../kit/empty.tsx'
import { TextField } from '../../kit/field.tsx'
import { CopyValue } from '../../kit/forms/copy-value.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { KeptList } from '../../kit/lists/kept-list.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call, type Name, type Output, useCall } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { organizationTexts } from '../../texts/organization.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'

const texts = organizationTexts.signIn
const staleDomains: Name[] = ['listEmailDomains', 'listOrganizationsForAuthenticatedUser']

type Domain = Output<'verifyEmailDomain'>

export function EmailDomains({ organization }: PartOfOrganization) {
  const organizationId = organization.id
  const domains = useCall('listEmailDomains', { organizationId })
  const names = (domains.data?.items ?? []).map(({ domain }) => domain)
  const adding = useAsked<true>()
  const removing = useAsked<Domain>()
  return (
    <section aria-labelledby="email-domains">
      <header className="ui-heading">
        <h2 id="email-domains">{texts.domains}</h2>
        <Button icon={Plus} onClick={() => adding.ask(true)}>
          {texts.newDomain}
        </Button>
      </header>
      <p className="ui-quiet">{texts.domainsText}</p>
      <Loaded query={domains} lines={1}>
        {({ items }) => (
          <KeptList>
            {items.map((domain) => (
              <DomainRow
                key={domain.domain}
                domain={domain}
                organizationId={organizationId}
                onRemove={() => removing.ask(domain)}
              />
            ))}
          </KeptList>
        )}
      </Loaded>
      <NewDomainDialog
        key={`add ${adding.key}`}
        open={adding.open}
        onClose={adding.close}
        organizationId={organizationId}
        names={names}
      />
      <RemoveDomainDialog
        key={`remove ${removing.key}`}
        open={removing.open}
        onClose={removing.close}
        organizationId={organizationId}
        names={names}
        domain={removing.about}
      />
    </section>
  )
}

interface DomainRowProps {
  domain: Domain
  organizationId: string
  onRemove: () => void
}

function DomainRow({ domain: { domain, verified, record }, organizationId, onRemove }: DomainRowProps) {
  const verify = useFormAction(() => call('verifyEmailDomain', { organizationId, emailDomain: domain }), {
    refreshes: staleDomains,
    onDone: () => showDone(texts.proven(domain)),
  })
  return (
    <li>
      <div className="ui-row ui-person">
        <span className="title">{domain}</span>
        <span className="ui-state" data-state={verified ? 'live' : 'draft'}>
          {verified ? texts.isProven : texts.notProven}
        </span>
        <IconButton label={texts.removeDomain(domain)} icon={Trash2} onClick={onRemove} />
      </div>
      {!verified && (
        <div className="ui-record">
          <p className="ui-quiet">{texts.recordText}</p>
          <CopyValue label={texts.recordName} value={record.name} />
          <CopyValue label={texts.recordValue} value={record.value} />
          <div className="ui-request-actions">
            <Button busy={verify.isPending} onClick={() => verify.mutate(undefined)}>
              {texts.verify}
            </Button>
          </div>
          <NotProven error={verify.error} />
        </div>
      )}
    </li>
  )
}

/** The usual reasons in words of their own. */
function NotProven({ error }: { error: unknown }) {
  const reason = error instanceof CallFailed ? error.type : ''
  const text = reason === 'conflict' ? texts.noRecord : reason === 'already_exists' ? texts.provenByOthers : undefined
  if (text === undefined) return <FormProblem error={error} />
  return (
    <p className="ui-problem" role="alert">
      {text}
    </p>
  )
}

interface ChangeDomainsProps {
  open: boolean
  onClose: () => void
  organizationId: string
  /** Those that there are. */
  names: readonly string[]
}

const isDomain = (text: string): boolean => /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i.test(text)

function NewDomainDialog({ open, onClose, organizationId, names }: ChangeDomainsProps) {
  const [name, setName] = useState('')
  // As it is copied from an address.
  const domain = name.trim().toLowerCase().replace(/^.*@/, '')
  const add = useFormAction(
    () => call('updateOrganizationById', { organizationId, body: { emailDomains: [...names, domain] } }),
    { refreshes: staleDomains, onDone: onClose },
  )
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={texts.newDomain}
      action={texts.addDomain}
      busy={add.isPending}
      disabled={!isDomain(domain)}
      onSubmit={() => add.mutate(undefined)}
    >
      <TextField
        label={texts.domain}
        hint={texts.domainHint}
        maxLength={253}
        spellCheck={false}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <FormProblem error={add.error} />
    </FormDialog>
  )
}

function RemoveDomainDialog({
  open,
  onClose,
  organizationId,
  names,
  domain,
}: ChangeDomainsProps & { domain: Domain | undefined }) {
  const rest = names.filter((name) => name !== domain?.domain)
  const remove = useFormAction(() => call('updateOrganizationById', { organizationId, body: { emailDomains: rest } }), {
    refreshes: staleDomains,
    onDone: onClose,
  })
  const title = texts.removeDomain(domain?.domain ?? '')
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      action={texts.remove}
      busy={remove.isPending}
      onSubmit={() => remove.mutate(undefined)}
    >
      <p>{texts.removeDomainText(domain?.domain ?? '')}</p>
      <FormProblem error={remove.error} />
    </FormDialog>
  )
}
