/**
 * Parts that are loaded when they are first needed. One that cannot be loaded says so and is tried again, by a press or when
 * the network is back. After an update of the server its file may be gone: then only a reload helps.
 */
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button } from '../kit/button.tsx'
import { Empty, Waiting } from '../kit/empty.tsx'
import { explainMissingPart, partMissing } from '../kit/missing-part.ts'
import { t } from '../texts/index.ts'

interface LazyPart<Props> {
  (props: Props & { waiting?: ReactNode }): ReactNode
  /** Begins to load it; over when it can be shown without waiting, or cannot be loaded. */
  load: () => Promise<unknown>
}

export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyPart<Props> {
  let loading: Promise<ComponentType<Props>> | undefined
  let loaded: ComponentType<Props> | undefined
  const begin = async (): Promise<ComponentType<Props> | undefined> => {
    loading ??= load()
    try {
      loaded = await loading
    } catch {
      loading = undefined
    }
    return loaded
  }
  const showMissing = (props: Props) => <MissingPart begin={begin} props={props} />
  const Later: ComponentType<Props> = lazy(async () => ({ default: (await begin()) ?? showMissing }))
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

interface MissingPartProps<Props> {
  begin: () => Promise<ComponentType<Props> | undefined>
  props: Props
}

function MissingPart<Props extends object>({ begin, props }: MissingPartProps<Props>) {
  const [Part, setPart] = useState<ComponentType<Props> | undefined>()
  const [problem, setProblem] = useState(partMissing)
  const tryAgain = (): void =>
    void begin().then(async (found) => (found ? setPart(() => found) : setProblem(await explainMissingPart())))
  // biome-ignore lint/correctness/useExhaustiveDependencies: it tries the same part as long as it stands.
  useEffect(() => {
    void explainMissingPart().then(setProblem)
    addEventListener('online', tryAgain)
    return () => removeEventListener('online', tryAgain)
  }, [])
  if (Part) return <Part {...props} />
  return (
    <Empty title={problem.title} text={problem.text}>
      {!problem.isReplaced && (
        <Button kind="primary" onClick={tryAgain}>
          {t.common.retry}
        </Button>
      )}
      <Button {...(problem.isReplaced ? { kind: 'primary' as const } : {})} onClick={() => location.reload()}>
        {t.common.reload}
      </Button>
    </Empty>
  )
}
