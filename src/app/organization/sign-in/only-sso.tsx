/**
 * Whether single sign-on is the only way in. Whoever switches it on has come by it themselves: a provider that lets nobody in
 * would shut everyone out, them first.
 */
import { useAsked } from '../../kit/asked.ts'
import { Button } from '../../kit/button.tsx'
import { FormDialog } from '../../kit/dialog.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call, useCall } from '../../session/client.ts'
import { useFormAction } from '../../session/form-action.ts'
import { organizationTexts } from '../../texts/organization.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'

const texts = organizationTexts.signIn

export function OnlySso({ organization }: PartOfOrganization) {
  const organizationId = organization.id
  const isOn = organization.sso
  const logins = useCall('listSSOProviderLoginsInOrganization', { organizationId })
  const sessions = useCall('listSessions', { query: { limit: 100 } })
  const method = sessions.data?.items.find(({ current }) => current)?.method
  const cameByIt = method === 'saml' || method === 'oidc'
  const ways = logins.data?.items ?? []
  const asking = useAsked<true>()
  const set = useFormAction(() => call('updateOrganizationById', { organizationId, body: { sso: !isOn } }), {
    refreshes: ['listOrganizationsForAuthenticatedUser'],
    onDone: () => {
      asking.close()
      showDone(isOn ? texts.otherWaysAllowed : texts.onlySsoNow)
    },
  })
  const action = isOn ? texts.allowOtherWays : texts.makeOnlyWay
  const canSet = isOn || (cameByIt && ways.length > 0)
  return (
    <section aria-labelledby="only-sso">
      <header className="ui-heading">
        <h2 id="only-sso">{texts.onlySso}</h2>
        {canSet && (
          <Button
            onClick={() => {
              set.reset()
              asking.ask(true)
            }}
          >
            {action}
          </Button>
        )}
      </header>
      <p className="ui-quiet">
        {isOn ? texts.onlySsoIsOn : ways.length === 0 ? texts.needsProvider : cameByIt ? texts.isOff : texts.tryFirst}
      </p>
      {!isOn && !cameByIt && ways.length > 0 && (
        <ul className="ui-list">
          {ways.map(({ id, label, startURL }) => (
            <li key={id}>
              <a className="ui-row" href={startURL}>
                <span className="title">{texts.signInWith(label)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <FormDialog
        open={asking.open}
        onClose={asking.close}
        title={action}
        action={action}
        busy={set.isPending}
        onSubmit={() => set.mutate(undefined)}
      >
        <p>{isOn ? texts.allowOtherWaysText : texts.makeOnlyWayText}</p>
        <FormProblem error={set.error} />
      </FormDialog>
    </section>
  )
}
