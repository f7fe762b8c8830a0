/** The Git repository of a space: what both had in common last, how the last import or export went, and the next one. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { GitBranch } from 'lucide-react'
import { useEffect } from 'react'
import { Redirect } from 'wouter'
import { CallFailed } from '../../client/client.ts'
import { Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { LeftOut } from '../imports/left-out.tsx'
import { Failed, Waiting } from '../kit/empty.tsx'
import { FormProblem } from '../kit/forms/problem.tsx'
import { When } from '../kit/when.tsx'
import { contentChanged } from '../pages/content-target.ts'
import { callQuery, refresh } from '../session/client.ts'
import { useSpace } from '../spaces/space-context.tsx'
import { gitTexts as words } from '../texts/git.ts'
import { language } from '../texts/index.ts'
import { type GitInfo, type Operation, operate } from './operate.ts'
import { RepositoryForm } from './repository-form.tsx'
import { SyncForm } from './sync-form.tsx'

const paceMilliseconds = 1_200

export default function GitScreen() {
  const { space } = useSpace()
  const spaceId = space.id
  const sync = useMutation({
    mutationFn: (operation: Operation) => operate(spaceId, operation),
    onSettled: () => void refresh('getSpaceGitInfo', 'getSpaceById'),
  })
  const isAsking = sync.isPending
  const info = useQuery({
    ...callQuery('getSpaceGitInfo', { spaceId }),
    refetchInterval: ({ state }) => (isAsking || state.data?.operation.state === 'running' ? paceMilliseconds : false),
  })
  const operation = info.data?.operation
  const isRunning = isAsking || operation?.state === 'running'
  const revision = operation?.revision
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is other content.
  useEffect(() => {
    void refresh('listRevisions')
    void contentChanged({ space: spaceId })
  }, [revision, spaceId])
  if (!space.permissions.edit) return <Redirect to={paths.space(spaceId)} replace />
  const isNew = info.data === undefined && info.error instanceof CallFailed && info.error.status === 404
  const isLocked = space.editMode === 'locked'
  return (
    <div className="ui-screen narrow">
      <Top title={words.title} crumbs={[{ label: space.title, href: paths.space(spaceId) }]} />
      <h1 className="ui-plain-title">{words.title}</h1>
      {!info.data && !isNew ? (
        info.error ? (
          <Failed error={info.error} onRetry={() => info.refetch()} />
        ) : (
          <Waiting />
        )
      ) : (
        <div className="ui-form">
          {info.data ? (
            <Connected info={info.data} />
          ) : (
            <p className="ui-quiet">
              <strong>{words.none}.</strong> {words.noneText}
            </p>
          )}
          {isLocked && <p className="ui-notice">{words.locked}</p>}
          <div className="ui-work" role="status">
            {isRunning ? (
              <Running direction={sync.variables?.direction ?? operation?.direction ?? 'import'} />
            ) : (
              operation && <LastOperation operation={operation} />
            )}
          </div>
          {/* What stopped an operation stands there already. */}
          {!isRunning && sync.error && sync.error.message !== operation?.error?.message && (
            <FormProblem error={sync.error} />
          )}
          {info.data?.url !== undefined && (
            <SyncForm info={info.data} isLocked={isLocked} isBusy={isRunning} onStart={sync.mutateAsync} />
          )}
          {info.data && info.data.url === undefined && <p className="ui-notice">{words.pathAgain}</p>}
          <RepositoryForm
            key={info.data?.url}
            info={info.data}
            isLocked={isLocked}
            isBusy={isRunning}
            onStart={sync.mutateAsync}
          />
          {!isRunning && operation && <LeftOut failures={operation.failures} isDone={operation.state === 'success'} />}
        </div>
      )}
    </div>
  )
}

function Connected({ info: { repoName, url, ref, repoProjectDirectory, commit } }: { info: GitInfo }) {
  return (
    <>
      <p className="ui-request-meta ui-any-wrap">
        <GitBranch size={16} strokeWidth={1.75} aria-hidden="true" />
        {url === undefined ? (
          <strong>{repoName}</strong>
        ) : (
          <a className="ui-link" href={url.replace(/\.git$/, '')} target="_blank" rel="noreferrer">
            {repoName ?? url}
          </a>
        )}
        {ref !== undefined && <span>{words.branchIs(ref)}</span>}
        {repoProjectDirectory !== undefined && <span>{words.folderIs(repoProjectDirectory)}</span>}
      </p>
      {commit?.oid && (
        <p className="ui-quiet ui-any-wrap">
          {words.common}:{' '}
          {commit.url ? (
            <a className="ui-link" href={commit.url} target="_blank" rel="noreferrer">
              {commit.oid.slice(0, 7)}
            </a>
          ) : (
            <code>{commit.oid.slice(0, 7)}</code>
          )}{' '}
          {commit.message?.split('\n')[0]}
        </p>
      )}
    </>
  )
}

const Running = ({ direction }: { direction: Operation['direction'] }) => (
  <>
    <p>{words.running[direction]}</p>
    <progress className="ui-progress" aria-label={words.running[direction]} />
  </>
)

function LastOperation({ operation: { direction, state, error, updatedAt } }: Pick<GitInfo, 'operation'>) {
  if (state !== 'failure')
    return (
      <p className="ui-request-meta">
        <span className="ui-state" data-state="live">
          {words.done[direction]}
        </span>
        <When time={updatedAt} />
      </p>
    )
  return (
    <div className="ui-problem-box">
      <div>
        <strong>{words.failed[direction]}</strong>
        {error && <p lang={language === 'en' ? undefined : 'en'}>{error.message}</p>}
        <p>
          {words.failedText[direction]} {error && /`force`/.test(error.message) && words.forceNext}
        </p>
        <When time={updatedAt} />
      </div>
    </div>
  )
}
