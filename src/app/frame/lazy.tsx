/** Screens that are loaded when they are first opened. After an update of the server their files may be gone: then only a reload helps. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Button } from '../kit/button.tsx'
import { Empty, Waiting } from '../kit/empty.tsx'
import { t } from '../texts/index.ts'

export function lazyScreen(load: () => Promise<{ default: ComponentType }>): ComponentType {
  const Screen = lazy(() => load().catch(() => ({ default: NewVersion })))
  return () => (
    <Suspense fallback={<Waiting />}>
      <Screen />
    </Suspense>
  )
}

const NewVersion = () => (
  <Empty title={t.page.newVersion} text={t.page.newVersionText}>
    <Button kind="primary" onClick={() => location.reload()}>
      {t.common.reload}
    </Button>
  </Empty>
)
