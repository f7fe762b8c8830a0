/** A provider that speaks SAML: the addresses that it is told, and what it tells us. */
import { useState } from 'react'
import { Loaded } from '../../kit/empty.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
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
import { readMetadata } from './saml-metadata.ts'

const texts = organizationTexts.signIn

type Saml = Output<'getOrganizationSAMLProviderById'>

export function SamlProvider({ organization, id }: PartOfOrganization & { id: string }) {
  const input = { organizationId: organization.id, samlProviderId: id }
  const provider = useCall('getOrganizationSAMLProviderById', input)
  return (
    <Loaded query={provider}>
      {(data) => (
        <ProviderFrame
          organization={organization}
          provider={data}
          kind="saml"
          remove={() => call('deleteOrganizationSAMLProvider', input)}
        >
          <section aria-labelledby="for-provider">
            <header className="ui-heading">
              <h2 id="for-provider">{texts.forProvider}</h2>
            </header>
            <CopyValue label={texts.acs} hint={texts.acsNames} value={data.service.acsURL} />
            <CopyValue label={texts.ownEntity} hint={texts.ownEntityNames} value={data.service.entityID} />
            <CopyValue label={texts.start} hint={texts.startNames} value={data.service.startURL} />
            <p className="ui-hint">{texts.samlAttributes}</p>
          </section>
          <section aria-labelledby="from-provider">
            <header className="ui-heading">
              <h2 id="from-provider">{texts.fromProvider}</h2>
            </header>
            <SamlForm organization={organization} provider={data} />
          </section>
        </ProviderFrame>
      )}
    </Loaded>
  )
}

function SamlForm({ organization, provider }: PartOfOrganization & { provider: Saml }) {
  const [fields, setFields] = useState({
    label: provider.label,
    entityID: provider.entityID,
    ssoURL: provider.ssoURL,
    certificate: provider.certificate,
    defaultRole: provider.defaultRole ?? ('guest' as const),
    defaultTeam: provider.defaultTeam?.id ?? '',
  })
  const [metadata, setMetadata] = useState('')
  const change = (changed: Partial<typeof fields>): void => setFields({ ...fields, ...changed })
  const isUnread = metadata.trim() !== '' && readMetadata(metadata) === undefined
  const save = useFormAction(
    () =>
      call('updateOrganizationSAMLProvider', {
        organizationId: organization.id,
        samlProviderId: provider.id,
        body: {
          ...fields,
          label: fields.label.trim(),
          entityID: fields.entityID.trim(),
          ssoURL: fields.ssoURL.trim(),
          defaultRole: asRole(fields.defaultRole),
          defaultTeam: fields.defaultTeam || null,
        },
      }),
    { refreshes: staleProviders, onDone: () => showDone(t.common.saved) },
  )
  return (
    <ProviderForm
      busy={save.isPending}
      disabled={fields.label.trim() === ''}
      error={save.error}
      onSubmit={() => save.mutate(undefined)}
    >
      <TextArea
        label={texts.metadata}
        hint={isUnread ? texts.metadataUnread : texts.metadataHint}
        value={metadata}
        onChange={({ target }) => {
          setMetadata(target.value)
          const found = readMetadata(target.value)
          if (found) change(found)
        }}
      />
      <TextField
        label={texts.entity}
        hint={texts.entityHint}
        maxLength={1024}
        value={fields.entityID}
        onChange={({ target }) => change({ entityID: target.value })}
      />
      <TextField
        label={texts.ssoURL}
        hint={texts.ssoURLHint}
        type="url"
        maxLength={2048}
        value={fields.ssoURL}
        onChange={({ target }) => change({ ssoURL: target.value })}
      />
      <TextArea
        label={texts.certificate}
        hint={texts.certificateHint}
        className="ui-code-field"
        rows={6}
        maxLength={20_000}
        spellCheck={false}
        value={fields.certificate}
        onChange={({ target }) => change({ certificate: target.value })}
      />
      <CommonFieldsOf organizationId={organization.id} fields={fields} onChange={change} />
    </ProviderForm>
  )
}
