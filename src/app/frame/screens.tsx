/** Which address shows which screen. Each screen is a part of its own, loaded when it is first opened. */
import { Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { HomeScreen } from '../home/home-screen.tsx'
import { Waiting } from '../kit/empty.tsx'
import { paths } from './paths.ts'

export const Screens = () => (
  <Suspense fallback={<Waiting />}>
    <Switch>
      <Route path={paths.home} component={HomeScreen} />
    </Switch>
  </Suspense>
)
