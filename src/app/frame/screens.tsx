/** Which address shows which screen. Each is a part of its own, loaded when it is first opened; what a page stands in comes with the shell. */
import { useEffect } from 'react'
import { Redirect, Route, Switch, useParams } from 'wouter'
import { HomeSide } from '../home/home-side.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { useSession } from '../session/session.tsx'
import { SpaceArea } from '../spaces/space-area.tsx'
import { t } from '../texts/index.ts'
import { Frame, Top } from './frame.tsx'
import { lazyPart, lazyScreen } from './lazy.tsx'
import { organizationTabs, paths } from './paths.ts'

const HomeScreen = lazyScreen(() => import('../home/home-screen.tsx'))
const WelcomeScreen = lazyScreen(() => import('../home/welcome-screen.tsx'))
const AllChangeRequestsScreen = lazyScreen(() => import('../changes/all-screen.tsx'))
const SitesScreen = lazyScreen(() => import('../sites/sites-screen.tsx'))
const SiteScreen = lazyScreen(() => import('../sites/site-screen.tsx'))
const ProfileScreen = lazyScreen(() => import('../account/profile-screen.tsx'))
const ImportsScreen = lazyScreen(() => import('../imports/imports-screen.tsx'))
const NewImportScreen = lazyScreen(() => import('../imports/new-import-screen.tsx'))
const ImportRunScreen = lazyScreen(() => import('../imports/import-run-screen.tsx'))
const SpecsScreen = lazyScreen(() => import('../specs/specs-screen.tsx'))
const SpecScreen = lazyScreen(() => import('../specs/spec-screen.tsx'))
const TranslationsScreen = lazyScreen(() => import('../translations/translations-screen.tsx'))
const TranslationScreen = lazyScreen(() => import('../translations/translation-screen.tsx'))
const GlossaryScreen = lazyScreen(() => import('../translations/glossary-screen.tsx'))
const OrganizationScreen = lazyPart(
  async () => (await import('../organization/organization-screen.tsx')).OrganizationScreen,
)
const OfCollectionScreen = lazyScreen(() => import('../rights/of-collection-screen.tsx'))
const TrashScreen = lazyScreen(() => import('../trash/trash-screen.tsx'))

export const Screens = () => (
  <Switch>
    <Route path={paths.home} component={HomeScreen} />
    <Route path="/welcome" component={WelcomeScreen} />
    <Route path="/s/:space/*?" component={SpaceArea} />
    <Route path={paths.changesOfAll} component={AllChangeRequestsScreen} />
    <Route path={paths.sites} component={SitesScreen} />
    <Route path="/sites/:site/:tab?" component={SiteScreen} />
    <Route path={paths.profile} component={ProfileScreen} />
    <Route path="/o/:organization/*?" component={OrganizationArea} />
    <Route path="/collections/:collection/people" component={OfCollectionScreen} />
    <Route path="/collections/:collection">
      <Redirect to={paths.home} replace />
    </Route>
    <Route component={NotFound} />
  </Switch>
)

/** Below `/o/:organization` that organization is the one worked in. */
function OrganizationArea() {
  const { organization: wanted = '' } = useParams<{ organization: string }>()
  const { organization, organizations, chooseOrganization } = useSession()
  const isKnown = organizations.some(({ id }) => id === wanted)
  useEffect(() => {
    if (isKnown) chooseOrganization(wanted)
  }, [isKnown, wanted, chooseOrganization])
  if (!isKnown) return <NotFound />
  if (organization?.id !== wanted) return null
  return (
    <Switch>
      {organizationTabs.map((tab) => (
        <Route key={tab} path={`/o/:organization/${tab}/:first?/:second?`}>
          <OrganizationScreen tab={tab} />
        </Route>
      ))}
      <Route path="/o/:organization/trash" component={TrashScreen} />
      <Route path="/o/:organization/openapi" component={SpecsScreen} />
      <Route path="/o/:organization/openapi/:spec" component={SpecScreen} />
      <Route path="/o/:organization/translations" component={TranslationsScreen} />
      <Route path="/o/:organization/translations/:translation" component={TranslationScreen} />
      <Route path="/o/:organization/glossary" component={GlossaryScreen} />
      <Route path="/o/:organization/imports" component={ImportsScreen} />
      <Route path="/o/:organization/imports/new" component={NewImportScreen} />
      <Route path="/o/:organization/imports/:run" component={ImportRunScreen} />
      <Route path="/o/:organization/sites/:site">{({ site }) => <Redirect to={paths.site(site)} replace />}</Route>
      <Route>
        <Redirect to={paths.home} replace />
      </Route>
    </Switch>
  )
}

const NotFound = () => (
  <Frame side={<HomeSide />}>
    <Top title={t.problems.notFoundTitle} />
    <h1 className="sr">{t.problems.notFoundTitle}</h1>
    <Empty title={t.problems.notFoundTitle} text={t.problems.notFoundText}>
      <ButtonLink kind="primary" href={paths.home}>
        {t.problems.goHome}
      </ButtonLink>
    </Empty>
  </Frame>
)
