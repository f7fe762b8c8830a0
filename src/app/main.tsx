/** The app: who is here, which screen, and what every screen has. */
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { KeysDialog } from './frame/keys.tsx'
import { Live } from './frame/live.tsx'
import { Palette } from './frame/palette.tsx'
import { Screens } from './frame/screens.tsx'
import { Toasts } from './kit/toast.tsx'
import { mount, queries } from './session/client.ts'
import { SessionProvider } from './session/session.tsx'

function App() {
  return (
    <QueryClientProvider client={queries}>
      <Router base={`${mount}/app`}>
        <SessionProvider>
          <Live />
          <Screens />
          <Palette />
          <KeysDialog />
        </SessionProvider>
      </Router>
      <Toasts />
    </QueryClientProvider>
  )
}

const place = document.getElementById('app')
if (place)
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
