/** The settings of the organization, for its admins; and for everyone the way out of it. */
import { LogOut } from 'lucide-react'
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { useAsked } from '../kit/asked.ts'
import { Button } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Check, SavedField } from '../kit/field.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { asRole, choicesAmong, memberRoles, RoleMenu } from '../rights/roles.tsx'
import { call, type Input, refresh, useAction } from '../session/client.ts'
import { useFormAction } from '../session/form-action.ts'
import { useSession } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { organizationTexts as texts } from '../texts/organization.ts'
import type { PartOfOrganization } from './organization-screen.tsx'

export function OrganizationSettings({ organization }: PartOfOrganization) {
  const update = useAction(
    (body: Input<'updateOrganizationById'>['body']) =>
      call('updateOrganizationById', { organizationId: organization.id, body }),
    { refreshes: ['listOrganizationsForAuthenticatedUser'], onDone: () => showDone(t.common.saved) },
  )
  return (
    <>
      {organization.permissions.admin ? (
        <div className="ui-form">
          <SavedField
            label={texts.settings.name}
            value={organization.title}
            maxLength={255}
            least={2}
            onSave={(title) => update.mutate({ title })}
          />
          <div className="ui-setting">
            <span className="label">
              {texts.settings.defaultRole}
              <small>{texts.settings.defaultRoleHint}</small>
            </span>
            <RoleMenu
              name={texts.links.toOrganization}
              role={organization.defaultRole ?? 'guest'}
              among={choicesAmong(memberRoles)}
              onChoose={(role) => update.mutate({ defaultRole: asRole(role) })}
            />
          </div>
          <Check
            label={texts.settings.inviteLinks}
            hint={texts.settings.inviteLinksHint}
            checked={(update.isPending ? update.variables?.inviteLinks : undefined) ?? organization.inviteLinks}
            onChange={({ target }) => update.mutate({ inviteLinks: target.checked })}
          />
        </div>
      ) : (
        <p className="ui-quiet">{texts.settings.readOnly}</p>
      )}
      <Leave organization={organization} />
    </>
  )
}

function Leave({ organization }: PartOfOrganization) {
  const { user } = useSession()
  const [, navigate] = useLocation()
  const asking = useAsked<true>()
  const leave = useFormAction(
    () => call('removeMemberFromOrganizationById', { organizationId: organization.id, userId: user.id }),
    {
      onDone: async () => {
        asking.close()
        navigate(paths.home)
        await refresh('listOrganizationsForAuthenticatedUser')
        showDone(texts.settings.left(organization.title))
      },
    },
  )
  return (
    <section aria-labelledby="leave">
      <header className="ui-heading">
        <h2 id="leave">{texts.settings.leave}</h2>
        <Button
          kind="danger"
          icon={LogOut}
          onClick={() => {
            leave.reset()
            asking.ask(true)
          }}
        >
          {texts.settings.leaveAction}
        </Button>
      </header>
      <p className="ui-quiet">{texts.settings.leaveShort}</p>
      <FormDialog
        open={asking.open}
        onClose={asking.close}
        title={texts.settings.leave}
        action={texts.settings.leaveAction}
        busy={leave.isPending}
        onSubmit={() => leave.mutate(undefined)}
      >
        <p>{texts.settings.leaveText}</p>
        <FormProblem error={leave.error} />
      </FormDialog>
    </section>
  )
}
