/** Parts that are loaded when they are first needed. After an update of the server their files may be gone: then only a reload helps. */
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Empty, Waiting } from '../kit/empty.tsx'
import { t } from '../texts/index.ts'

interface LazyPart<Props> {
  (props: Props & { waiting?: ReactNode }): ReactNode
  /** Begins to load it; over when it can be shown without waiting. */
  load: () => Promise<unknown>
}

export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  const begin = async (): Promise<ComponentType<Props>> => {
    loading ??= load().catch(() => NewVersion)
    loaded = await loading
    return loaded
  }
  const Later: ComponentType<Props> = lazy(async () => ({ default: await begin() }))
  // What is there already is shown at once.
  const choose = (): ComponentType<Props> => loaded ?? Later
  return Object.assign(
    ({ waiting, ...props }: Props & { waiting?: ReactNode }) => (
      <Suspense fallback={waiting ?? <Waiting />}>
        <Chosen choose={choose} props={props as unknown as Props} />
      </Suspense>
    ),
    { load: begin },
  )
}

/** A part that was waited for stays the same component. */
function Chosen<Props extends object>({ choose, props }: { choose: () => ComponentType<Props>; props: Props }) {
  const [Part] = useState(() => choose())
  return <Part {...props} />
}

export const lazyScreen = (load: () => Promise<{ default: ComponentType }>): LazyPart<object> =>
  lazyPart(async () => (await load()).default)

const NewVersion = () => (
  <Empty title={t.page.newVersion} text={t.page.newVersionText}>
    <Button kind="primary" onClick={() => location.reload()}>
      {t.common.reload}
    </Button>
  </Empty>
)
