/** How people sign in to the organization: its providers, the domains they may speak for, and whether there is another way. */
import { KeyRound, Plus } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { paths } from '../../frame/paths.ts'
import { useAsked } from '../../kit/asked.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Loaded } from '../../kit/empty.tsx'
import { MoreButton } from '../../kit/lists/more-button.tsx'
import type { Output } from '../../session/client.ts'
import { useLongList } from '../../session/long-list.ts'
import { organizationTexts } from '../../texts/organization.ts'
import type { PartOfOrganization } from '../organization-screen.tsx'
import { EmailDomains } from './email-domains.tsx'
import { NewProviderDialog } from './new-provider.tsx'
import { OidcProvider } from './oidc-provider.tsx'
import { OnlySso } from './only-sso.tsx'
import { SamlProvider } from './saml-provider.tsx'

const texts = organizationTexts.signIn

type Provider = Output<'getOrganizationSAMLProviderById'> | Output<'getOIDCProvider'>

export function SignInOrProvider({ organization }: PartOfOrganization) {
  const { first, second } = useParams<{ first?: string; second?: string }>()
  if (second === undefined) return <SignIn organization={organization} />
  return first === 'oidc' ? (
    <OidcProvider key={second} organization={organization} id={second} />
  ) : (
    <SamlProvider key={second} organization={organization} id={second} />
  )
}

function SignIn({ organization }: PartOfOrganization) {
  const organizationId = organization.id
  const saml = useLongList('listSAMLProvidersInOrganizationById', { organizationId })
  const oidc = useLongList('listOIDCProviders', { organizationId })
  const asking = useAsked<true>()
  const providers: Provider[] = [...(saml.data?.items ?? []), ...(oidc.data?.items ?? [])]
  const button = (
    <Button icon={Plus} onClick={() => asking.ask(true)}>
      {texts.newProvider}
    </Button>
  )
  return (
    <>
      <section aria-labelledby="providers">
        <header className="ui-heading">
          <h2 id="providers">{texts.providers}</h2>
          {providers.length > 0 && button}
        </header>
        <Loaded<unknown> query={saml.data ? oidc : saml} lines={2}>
          {() =>
            providers.length === 0 ? (
              <Empty icon={KeyRound} title={texts.noProviders} text={texts.noProvidersText}>
                {button}
              </Empty>
            ) : (
              <ul className="ui-list">
                {providers.map((provider) => (
                  <ProviderRow key={provider.id} provider={provider} organizationId={organizationId} />
                ))}
              </ul>
            )
          }
        </Loaded>
        <MoreButton list={saml} />
        <MoreButton list={oidc} />
      </section>
      <EmailDomains organization={organization} />
      <OnlySso organization={organization} />
      <NewProviderDialog key={asking.key} open={asking.open} onClose={asking.close} organization={organization} />
    </>
  )
}

function ProviderRow({ provider, organizationId }: { provider: Provider; organizationId: string }) {
  const kind = provider.object === 'oidc-provider' ? 'oidc' : 'saml'
  return (
    <li>
      <Link className="ui-row" href={paths.provider(organizationId, kind, provider.id)}>
        <KeyRound size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="title">
          {provider.label}
          <small>{texts.kinds[kind]}</small>
        </span>
        <span className="ui-state" data-state={provider.status === 'active' ? 'live' : 'draft'}>
          {texts.states[provider.status]}
        </span>
      </Link>
    </li>
  )
}
