/** One translation: how it stands, what its runs did, what the service is told, and the spaces on both sides. */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Play, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Redirect, useLocation, useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { TextArea } from '../kit/field.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { contentChanged } from '../pages/content-target.ts'
import { call, callQuery, type Name, refresh, useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { language, t } from '../texts/index.ts'
import { translationTexts as words } from '../texts/translations.ts'
import { documentOf, isPlain, textOf } from './instructions.ts'
import { nameOfLanguage } from './language-names.ts'
import { isUnderWay, type Translation, TranslationState } from './state.tsx'

const paceMilliseconds = 1_500
const stale: Name[] = ['getTranslation', 'listTranslations']

export default function TranslationScreen() {
  const { translation: translationId = '' } = useParams<{ translation: string }>()
  const { id: organizationId, permissions } = useOrganization()
  const translation = useQuery({
    ...callQuery('getTranslation', { organizationId, translationId }),
    enabled: permissions.admin,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? paceMilliseconds : false),
  })
  const space = useCall(
    'getSpaceById',
    { spaceId: translation.data?.source.space ?? '' },
    { enabled: translation.data !== undefined },
  )
  if (!permissions.admin) return <Redirect to={paths.home} replace />
  const title = space.data?.title ?? (space.error ? words.goneSpace : '')
  const name = translation.data ? `${title} → ${nameOfLanguage(translation.data.language)}` : words.title
  return (
    <Frame side={<HomeSide />}>
      <Top title={name} crumbs={[{ label: words.title, href: paths.translations(organizationId) }]} />
      <Loaded query={translation}>
        {(data) => <TranslationParts translation={data} organizationId={organizationId} name={name} />}
      </Loaded>
    </Frame>
  )
}

interface OfTranslation {
  translation: Translation
  organizationId: string
}

function TranslationParts({ translation, organizationId, name }: OfTranslation & { name: string }) {
  const { source, result, stats } = translation
  const isOn = isUnderWay(translation)
  const resultSpace = result?.space
  useEffect(() => {
    if (isOn) return
    void refresh('listTranslations', 'listSpacesInOrganizationById', 'getSpaceById')
    if (resultSpace !== undefined) void contentChanged({ space: resultSpace })
  }, [isOn, resultSpace])
  const rows: [string, string][] = [
    [words.runs, String(stats.runs)],
    ...(stats.runs === 0
      ? []
      : ([
          [
            words.latest,
            `${words.latestOf(stats.latestPages, stats.latestWords)}, ${words.took(secondsOf(stats.latestRunDuration))}`,
          ],
          [
            words.total,
            `${words.latestOf(stats.totalPages, stats.totalWords)}, ${words.took(secondsOf(stats.totalDuration))}`,
          ],
        ] satisfies [string, string][])),
  ]
  return (
    <>
      <header className="ui-request-head">
        <h1 className="ui-any-length">{name}</h1>
        <p className="ui-request-meta">
          <TranslationState translation={translation} />
          <span>
            {nameOfLanguage(source.language)} → {nameOfLanguage(translation.language)}
          </span>
          <span>
            {words.updated} <When time={translation.updatedAt} />
          </span>
        </p>
      </header>
      <div className="ui-work" role="status">
        {isOn ? (
          <>
            <p>{translation.status === 'running' ? words.isRunning : words.isWaiting}</p>
            <progress className="ui-progress" aria-label={words.isRunning} />
          </>
        ) : (
          <RunProblem translation={translation} />
        )}
        {!isOn && resultSpace === undefined && <p className="ui-quiet">{words.notYet}</p>}
      </div>
      <TranslationActions translation={translation} organizationId={organizationId} />
      <section aria-labelledby="runs">
        <header className="ui-heading">
          <h2 id="runs">{words.stats}</h2>
        </header>
        <dl className="ui-figures">
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {translation.permissions.edit && (
        <Instructions
          key={JSON.stringify(translation.instructions)}
          translation={translation}
          organizationId={organizationId}
        />
      )}
    </>
  )
}

const secondsOf = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

function RunProblem({ translation: { status, error } }: { translation: Translation }) {
  if (!error) return null
  const isFailed = status === 'failed'
  // The server says it in English, with the names of its settings.
  const lacksEngine = /^No translation engine/.test(error.message)
  return (
    <div className="ui-problem-box">
      <div>
        <strong>{lacksEngine ? words.noEngine : isFailed ? words.failedTitle : words.partlyTitle}</strong>
        {lacksEngine ? (
          <p>{words.noEngineText}</p>
        ) : (
          <>
            <p lang={language === 'en' ? undefined : 'en'}>{error.message}</p>
            <p>{isFailed ? words.failedText : words.partlyText}</p>
          </>
        )}
      </div>
    </div>
  )
}

function TranslationActions({ translation, organizationId }: OfTranslation) {
  const [, navigate] = useLocation()
  const [asking, setAsking] = useState(false)
  const input = { organizationId, translationId: translation.id }
  const run = useAction(() => call('runTranslation', input), {
    refreshes: stale,
    onDone: () => showDone(words.started),
  })
  const remove = useAction(() => call('deleteTranslation', input), {
    refreshes: ['listTranslations'],
    onDone: () => {
      navigate(paths.translations(organizationId))
      showDone(words.removed)
    },
  })
  return (
    <div className="ui-request-actions">
      {translation.result && (
        <ButtonLink kind="primary" icon={ArrowRight} href={paths.space(translation.result.space)}>
          {words.open}
        </ButtonLink>
      )}
      <ButtonLink href={paths.space(translation.source.space)}>{words.openSource}</ButtonLink>
      {translation.permissions.edit && (
        <>
          <Button
            icon={Play}
            busy={run.isPending || translation.status === 'running'}
            onClick={() => run.mutate(undefined)}
          >
            {words.run}
          </Button>
          <Button kind="danger" icon={Trash2} onClick={() => setAsking(true)}>
            {t.common.delete}
          </Button>
        </>
      )}
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.remove}
        action={t.common.delete}
        busy={remove.isPending}
        onSubmit={() => remove.mutate(undefined)}
      >
        <p>{words.removeText}</p>
      </FormDialog>
    </div>
  )
}

function Instructions({ translation, organizationId }: OfTranslation) {
  const before = textOf(translation.instructions)
  const [text, setText] = useState(before)
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const save = async (): Promise<void> => {
    setIsBusy(true)
    setError(undefined)
    try {
      const input = { organizationId, translationId: translation.id }
      await call('updateTranslation', { ...input, body: { instructions: documentOf(text) } })
      void refresh(...stale)
      showDone(words.instructionsSaved)
    } catch (problem) {
      setError(problem)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <section>
      <form
        className="ui-form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextArea
          label={words.instructions}
          hint={isPlain(translation.instructions) ? words.instructionsHint : words.structured}
          placeholder={words.instructionsPlaceholder}
          maxLength={4000}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <FormProblem error={error} />
        <div className="ui-request-actions">
          <Button type="submit" busy={isBusy} disabled={isBusy || text === before}>
            {words.saveInstructions}
          </Button>
        </div>
      </form>
    </section>
  )
}
