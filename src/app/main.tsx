/** The app: who is here, which screen, and what every screen has. */
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { gatherFirstScreen } from './frame/first-screen.ts'
import { KeysDialog } from './frame/keys.tsx'
import { Live } from './frame/live.tsx'
import { Palette } from './frame/palette.tsx'
import { Rest } from './frame/rest.tsx'
import { Screens } from './frame/screens.tsx'
import { loadLayers } from './kit/layers.ts'
import { Toasts } from './kit/toast.tsx'
import { Tooltips } from './kit/tooltips.tsx'
import { queries } from './session/client.ts'
import { firstScreenStands, forgetFirstAnswers } from './session/first-answers.ts'
import { mount } from './session/leaving.ts'
import { SessionProvider } from './session/session.tsx'
import { SpaceSide } from './spaces/side-part.ts'

function App() {
  useEffect(forgetFirstAnswers, [])
  return (
    <QueryClientProvider client={queries}>
      <Router base={`${mount}/app`}>
        <SessionProvider>
          <Screens />
          <Rest>
            <Live />
            <Palette />
            <KeysDialog />
          </Rest>
        </SessionProvider>
      </Router>
      <Toasts />
      <Rest>
        <Tooltips />
      </Rest>
    </QueryClientProvider>
  )
}

async function start(root: HTMLElement): Promise<void> {
  await gatherFirstScreen(location.pathname.slice(`${mount}/app`.length))
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}

const root = document.getElementById('app')
// Not awaited: the parts that the first screen gathers import this file, so it must be over before they are there.
if (root) void start(root)
void firstScreenStands.then(() => {
  loadLayers()
  return SpaceSide.load()
})
