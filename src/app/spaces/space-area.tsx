/** Everything below `/s/:space`: the space's tree stands in the side panel and stays while its screens change. */

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Redirect, Route, Switch, useLocation, useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { lazyScreen } from '../frame/lazy.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Failed, Waiting } from '../kit/empty.tsx'
import { usePages } from '../pages/content-target.ts'
import { PageScreen } from '../pages/page-screen.tsx'
import { call, useCall } from '../session/client.ts'
import { rememberOrganization } from '../session/session.tsx'
import { EmptySpace } from './empty-space.tsx'
import { SpaceSide } from './side-part.ts'
import { SpaceProvider, useSpace } from './space-context.tsx'

const ChangeRequestsScreen = lazyScreen(() => import('../changes/list-screen.tsx'))
const ChangeRequestScreen = lazyScreen(() => import('../changes/request-screen.tsx'))
const FilesScreen = lazyScreen(() => import('../files/files-screen.tsx'))
const LinksScreen = lazyScreen(() => import('../files/links-screen.tsx'))
const HistoryScreen = lazyScreen(() => import('../history/history-screen.tsx'))
const GitScreen = lazyScreen(() => import('../git/git-screen.tsx'))
const PdfScreen = lazyScreen(() => import('../pdf/pdf-screen.tsx'))
const SettingsScreen = lazyScreen(() => import('./settings-screen.tsx'))

export function SpaceArea() {
  const { space: spaceId = '' } = useParams<{ space: string }>()
  const [here] = useLocation()
  const space = useCall('getSpaceById', { spaceId })
  const number = /^\/s\/[^/]+\/c\/([^/]+)/.exec(here)?.[1]
  const request = useCall(
    'getChangeRequestById',
    { spaceId, changeRequestId: number ?? '' },
    { enabled: number !== undefined },
  )
  const organization = space.data?.organization
  useEffect(() => {
    if (organization) rememberOrganization(organization)
  }, [organization])
  const failed = [space, ...(number === undefined ? [] : [request])].find(({ error }) => error !== null)
  if (failed) {
    return (
      <Frame side={<HomeSide />}>
        <Failed error={failed.error} onRetry={() => failed.refetch()} />
      </Frame>
    )
  }
  if (!space.data) return <Frame side={null}>{<Waiting />}</Frame>
  return (
    <SpaceProvider value={{ space: space.data, request: number === undefined ? undefined : request.data }}>
      <Frame side={<SpaceSide isWaiting={number !== undefined && !request.data} />} bare>
        {number !== undefined && !request.data ? <Waiting /> : <SpaceScreens />}
      </Frame>
    </SpaceProvider>
  )
}

const SpaceScreens = () => (
  <Switch>
    <Route path="/s/:space" component={FirstPage} />
    <Route path="/s/:space/p/:page">{({ page }) => <PageScreen key={page} page={page} />}</Route>
    <Route path="/s/:space/c" component={ChangeRequestsScreen} />
    <Route path="/s/:space/c/:number/edit" component={FirstPage} />
    <Route path="/s/:space/c/:number/edit/p/:page">{({ page }) => <PageScreen key={page} page={page} />}</Route>
    <Route path="/s/:space/c/:number/pdf" component={PdfScreen} />
    <Route path="/s/:space/c/:number/:tab?" component={ChangeRequestScreen} />
    <Route path="/s/:space/files" component={FilesScreen} />
    <Route path="/s/:space/links" component={LinksScreen} />
    <Route path="/s/:space/history/:revision?" component={HistoryScreen} />
    <Route path="/s/:space/settings/:tab?" component={SettingsScreen} />
    <Route path="/s/:space/pdf" component={PdfScreen} />
    <Route path="/s/:space/git" component={GitScreen} />
    <Route path="/s/:space/~/changes/:number">
      {({ space, number }) => <Redirect to={paths.changeRequest(space, Number(number))} replace />}
    </Route>
    <Route path="/s/:space/~/revisions/:revision">
      {({ space, revision }) => <Redirect to={paths.revision(space, revision)} replace />}
    </Route>
    <Route path="/s/:space/*">{(params) => <PageByPath path={params['*']} />}</Route>
  </Switch>
)

/** A space opens with its first page. */
function FirstPage() {
  const { content, space, pathOf } = useSpace()
  const pages = usePages(content)
  if (pages.error) return <Failed error={pages.error} onRetry={() => pages.refetch()} />
  if (!pages.data) return <Waiting />
  const first = pages.data.flatMap((page) => (page.type === 'group' ? [...(page.pages ?? []), page] : [page]))[0]
  if (first) return <Redirect to={pathOf(first.id)} replace />
  return (
    <>
      <Top title={space.title} />
      <EmptySpace />
    </>
  )
}

/** Addresses that others kept name a page by its path. */
function PageByPath({ path }: { path: string }) {
  const { space } = useSpace()
  const page = useQuery({
    queryKey: ['page-by-path', space.id, path],
    queryFn: () => call('getPageByPath', { spaceId: space.id, pagePath: path, query: { pages: false } }),
  })
  if (page.error) return <Failed error={page.error} />
  if (!page.data) return <Waiting />
  return <Redirect to={paths.page(space.id, page.data.id)} replace />
}
