/** One import: how far it is, and at the end what has changed and what was not understood. */
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Plus, RefreshCw, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Loaded } from '../kit/empty.tsx'
import { When } from '../kit/when.tsx'
import { contentChanged } from '../pages/content-target.ts'
import { call, callQuery, refresh, useAction, useCall } from '../session/client.ts'
import { useOrganization, useSession } from '../session/session.tsx'
import { importTexts as words } from '../texts/imports.ts'
import { language } from '../texts/index.ts'
import { ChangedPages } from './changed-pages.tsx'
import { RunState } from './imports-screen.tsx'
import { LeftOut } from './left-out.tsx'
import { isUnderWay, nameOfRun, type Run } from './sources.ts'

const paceMilliseconds = 1_000

export default function ImportRunScreen() {
  const { run: importRunId = '' } = useParams<{ run: string }>()
  const { id: organizationId } = useOrganization()
  const run = useQuery({
    ...callQuery('getImportRun', { organizationId, importRunId }),
    refetchInterval: ({ state }) => (state.data === undefined || isUnderWay(state.data) ? paceMilliseconds : false),
  })
  const title = run.data ? words.run(nameOfRun(run.data)) : words.title
  return (
    <Frame side={<HomeSide />}>
      <Top title={title} crumbs={[{ label: words.title, href: paths.imports(organizationId) }]} />
      <Loaded query={run}>{(data) => <RunParts run={data} organizationId={organizationId} />}</Loaded>
    </Frame>
  )
}

function RunParts({ run, organizationId }: { run: Run; organizationId: string }) {
  const { user } = useSession()
  const { space: spaceId, changeRequest } = run.target
  const space = useCall('getSpaceById', { spaceId })
  const request = useCall(
    'getChangeRequestById',
    { spaceId, changeRequestId: changeRequest ?? '' },
    { enabled: changeRequest !== undefined },
  )
  const isOn = isUnderWay(run)
  const cancel = useAction(() => call('cancelImportRun', { organizationId, importRunId: run.id }), {
    refreshes: ['getImportRun', 'listImportRuns'],
  })
  useEffect(() => {
    if (isOn) return
    void refresh('listImportRuns', 'listRevisions', 'getSpaceById', 'listSpacesInOrganizationById')
    void contentChanged({ space: spaceId })
  }, [isOn, spaceId])
  const number = request.data?.number
  const goTo = changeRequest === undefined ? paths.space(spaceId) : number && paths.changeRequest(spaceId, number)
  const again = paths.newImport(organizationId, {
    space: spaceId,
    ...(number === undefined ? {} : { changeRequest: number }),
    ...(run.source.url.startsWith('upload:') ? {} : { again: run.id }),
  })
  return (
    <>
      <header className="ui-request-head">
        <h1 className="ui-any-length">{words.run(nameOfRun(run))}</h1>
        <p className="ui-request-meta">
          <RunState status={run.status} />
          <span>{words.sources[run.source.type]}</span>
          <span>{words.into(space.data?.title ?? (space.error ? words.goneSpace : '…'))}</span>
          <When time={run.createdAt} />
        </p>
      </header>
      <div className="ui-work" role="status">
        <Outcome run={run} isMine={run.createdBy === user.id} />
      </div>
      <div className="ui-request-actions">
        {isOn && (
          <Button icon={X} busy={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {words.cancel}
          </Button>
        )}
        {run.status === 'completed' && goTo && space.data && (
          <ButtonLink kind="primary" icon={ArrowRight} href={goTo}>
            {changeRequest === undefined ? words.openSpace : words.openRequest}
          </ButtonLink>
        )}
        {run.status === 'completed' && space.data?.permissions.edit && (
          <ButtonLink icon={Plus} href={paths.newImport(organizationId, { space: spaceId })}>
            {words.another}
          </ButtonLink>
        )}
        {(run.status === 'failed' || run.status === 'cancelled') && space.data?.permissions.edit && (
          <ButtonLink kind="primary" icon={RefreshCw} href={again}>
            {words.again}
          </ButtonLink>
        )}
      </div>
      <LeftOut failures={run.failures} isDone={run.status === 'completed'} />
      {run.status === 'completed' && run.revision && space.data && (
        <ChangedPages
          run={{ id: run.id, createdAt: run.createdAt, space: spaceId, changeRequest, revision: run.revision }}
          number={number}
        />
      )}
    </>
  )
}

function Outcome({ run, isMine }: { run: Run; isMine: boolean }): ReactNode {
  const { status, importedResources: done, totalResources: total, error } = run
  if (status === 'completed') return <p>{words.done(done)}</p>
  if (status === 'cancelled') return <p>{words.cancelledText}</p>
  if (status === 'failed')
    return (
      <div className="ui-problem-box">
        <div>
          <strong>{words.failedText}</strong>
          {error && <p lang={language === 'en' ? undefined : 'en'}>{error.message}</p>}
          <p>{words.failedNext}</p>
        </div>
      </div>
    )
  const text = status === 'pending' ? words.pendingText : total === 0 ? words.looking : words.progress(done, total)
  return (
    <>
      {/* Each step read out would be too many: the bar tells it to whoever asks. */}
      <p aria-hidden="true">{text}</p>
      <progress
        className="ui-progress"
        aria-label={words.states['in-progress']}
        aria-valuetext={text}
        {...(total > 0 ? { max: total, value: done } : {})}
      />
      {isMine && <p className="ui-quiet">{words.leave}</p>}
    </>
  )
}
