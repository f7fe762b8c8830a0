/** A provider that speaks OpenID Connect: the addresses that it is told, and what it tells us. */
import { useState } from 'react'
import { Loaded } from '../../kit/empty.tsx'
import { TextField } from '../../kit/field.tsx'
import { CopyValue } from '../../kit/forms/copy-value.tsx'
import { showDone } from '../../kit/toast.tsx'
import { asRole } from '../../rights/roles.tsx'
import { call, type Output, useCall } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { organizationTexts } from '../../texts/organization.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'
import { staleProviders } from '../stale.ts'
import { CommonFieldsOf, ProviderForm, ProviderFrame } from './provider-frame.tsx'

const texts = organizationTexts.signIn

type Oidc = Output<'getOIDCProvider'>

export function OidcProvider({ organization, id }: PartOfOrganization & { id: string }) {
  const input = { organizationId: organization.id, oidcProviderId: id }
  const provider = useCall('getOIDCProvider', input)
  return (
    <Loaded query={provider}>
      {(data) => (
        <ProviderFrame
          organization={organization}
          provider={data}
          kind="oidc"
          remove={() => call('deleteOIDCProvider', input)}
        >
          <section aria-labelledby="for-provider">
            <header className="ui-heading">
              <h2 id="for-provider">{texts.forProvider}</h2>
            </header>
            <CopyValue label={texts.redirect} hint={texts.redirectNames} value={data.service.redirectURL} />
            <CopyValue label={texts.start} hint={texts.startNames} value={data.service.startURL} />
            <p className="ui-hint">{texts.oidcClient}</p>
          </section>
          <section aria-labelledby="from-provider">
            <header className="ui-heading">
              <h2 id="from-provider">{texts.fromProvider}</h2>
            </header>
            <OidcForm organization={organization} provider={data} />
          </section>
        </ProviderFrame>
      )}
    </Loaded>
  )
}

function OidcForm({ organization, provider }: PartOfOrganization & { provider: Oidc }) {
  const [fields, setFields] = useState({
    label: provider.label,
    issuer: provider.issuer,
    clientID: provider.clientID,
    defaultRole: provider.defaultRole ?? ('guest' as const),
    defaultTeam: provider.defaultTeam?.id ?? '',
  })
  const [secret, setSecret] = useState('')
  const change = (changed: Partial<typeof fields>): void => setFields({ ...fields, ...changed })
  const issuer = fields.issuer.trim()
  const clientID = fields.clientID.trim()
  const isKept = provider.hasClientSecret && issuer === provider.issuer
  const save = useFormAction(
    () =>
      call('updateOIDCProvider', {
        organizationId: organization.id,
        oidcProviderId: provider.id,
        body: {
          label: fields.label.trim(),
          // What is empty stays as it is: the API takes neither back.
          ...(issuer && { issuer }),
          ...(clientID && { clientID }),
          ...(secret && { clientSecret: secret }),
          defaultRole: asRole(fields.defaultRole),
          defaultTeam: fields.defaultTeam || null,
        },
      }),
    {
      refreshes: staleProviders,
      onDone: () => {
        setSecret('')
        showDone(t.common.saved)
      },
    },
  )
  return (
    <ProviderForm
      busy={save.isPending}
      disabled={fields.label.trim() === ''}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
    >
      <TextField
        label={texts.issuer}
        hint={texts.issuerHint}
        type="url"
        maxLength={2048}
        value={fields.issuer}
        onChange={({ target }) => change({ issuer: target.value })}
      />
      <TextField
        label={texts.clientID}
        maxLength={1024}
        value={fields.clientID}
        onChange={({ target }) => change({ clientID: target.value })}
      />
      <TextField
        label={texts.clientSecret}
        hint={isKept ? texts.secretKept : texts.secretNeeded}
        type="password"
        autoComplete="off"
        maxLength={2048}
        value={secret}
        onChange={({ target }) => setSecret(target.value)}
      />
      <CommonFieldsOf organizationId={organization.id} fields={fields} onChange={change} />
    </ProviderForm>
  )
}
