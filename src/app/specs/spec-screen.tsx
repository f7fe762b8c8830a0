/** One OpenAPI spec: whether it can be read, where it comes from, its versions, and the pages that are made of it. */
import { useQuery } from '@tanstack/react-query'
import { BookOpen, Copy, Download, RefreshCw, Replace, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Redirect, useLocation, useParams } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { Select } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { When } from '../kit/when.tsx'
import { call, callQuery, refresh, useAction } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { language, t } from '../texts/index.ts'
import { specTexts as words } from '../texts/specs.ts'
import { PutInDialog } from './put-in-dialog.tsx'
import { ReplaceDialog, staleSpecs } from './source-dialogs.tsx'
import { isBeingRead, type Spec, SpecState } from './state.tsx'
import { saveSpec, Versions } from './versions.tsx'

const paceMilliseconds = 1_500

export default function SpecScreen() {
  const { spec: specSlug = '' } = useParams<{ spec: string }>()
  const { id: organizationId, permissions } = useOrganization()
  const spec = useQuery({
    ...callQuery('getOpenAPISpecBySlug', { organizationId, specSlug }),
    enabled: permissions.listMembers,
    refetchInterval: ({ state }) => (state.data && isBeingRead(state.data) ? paceMilliseconds : false),
  })
  if (!permissions.listMembers) return <Redirect to={paths.home} replace />
  return (
    <Frame side={<HomeSide />}>
      <Top title={specSlug} crumbs={[{ label: words.title, href: paths.specs(organizationId) }]} />
      <Loaded query={spec}>{(data) => <SpecParts spec={data} organizationId={organizationId} />}</Loaded>
    </Frame>
  )
}

interface OfSpec {
  spec: Spec
  organizationId: string
}

function SpecParts({ spec, organizationId }: OfSpec) {
  const isReading = isBeingRead(spec)
  // What was read is a version by now.
  useEffect(() => {
    if (!isReading) void refresh('listOpenAPISpecVersions', 'listOpenAPISpecs')
  }, [isReading])
  return (
    <>
      <header className="ui-request-head">
        <h1 className="ui-any-length">{spec.slug}</h1>
        <p className="ui-request-meta ui-any-wrap">
          <SpecState spec={spec} />
          <span>
            {spec.sourceURL === undefined ? (
              words.fromText
            ) : (
              <>
                {words.fromAddress}{' '}
                <a className="ui-link" href={spec.sourceURL} target="_blank" rel="noreferrer">
                  {spec.sourceURL}
                </a>
              </>
            )}
          </span>
          {spec.lastProcessedAt && (
            <span>
              {words.fetched} <When time={spec.lastProcessedAt} />
            </span>
          )}
        </p>
      </header>
      <div className="ui-work" role="status">
        {isReading ? (
          <>
            <p>{words.isReading}</p>
            <progress className="ui-progress" aria-label={words.isReading} />
          </>
        ) : (
          <SpecProblems spec={spec} />
        )}
      </div>
      <SpecActions spec={spec} organizationId={organizationId} />
      <SpecAccess spec={spec} organizationId={organizationId} />
      <Versions spec={spec} organizationId={organizationId} />
    </>
  )
}

function SpecProblems({ spec }: { spec: Spec }) {
  const { lastProcessErrorCode: code, lastProcessedErrors: errors = [] } = spec
  if (code === undefined) return null
  return (
    <div className="ui-problem-box">
      <div>
        <strong>{words.codes[code]}</strong>
        <p>
          {spec.lastVersion === undefined ? words.noGood : words.lastGood}{' '}
          {spec.permissions.edit && (spec.sourceURL === undefined ? words.mendText : words.mend)}
        </p>
        <ul className="ui-plain-list" lang={language === 'en' ? undefined : 'en'}>
          {errors.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}

function SpecActions({ spec, organizationId }: OfSpec) {
  const { slug: specSlug, sourceURL } = spec
  const [, navigate] = useLocation()
  const [asked, ask] = useState<'put' | 'replace' | 'delete' | undefined>()
  const close = (): void => ask(undefined)
  const input = { organizationId, specSlug }
  const readAgain = useAction(
    (url: string) => call('createOrUpdateOpenAPISpecBySlug', { ...input, body: { source: { url } } }),
    { refreshes: staleSpecs },
  )
  const remove = useAction(() => call('deleteOpenAPISpecBySlug', input), {
    refreshes: ['listOpenAPISpecs'],
    onDone: () => {
      navigate(paths.specs(organizationId))
      showDone(words.removed(specSlug))
    },
  })
  const save = useAction(() => saveSpec({ organizationId, specSlug }))
  return (
    <div className="ui-request-actions">
      {spec.lastVersion !== undefined && (
        <>
          <Button kind="primary" icon={BookOpen} onClick={() => ask('put')}>
            {words.putIn}
          </Button>
          <Button icon={Download} busy={save.isPending} onClick={() => save.mutate(undefined)}>
            {words.download}
          </Button>
        </>
      )}
      {spec.permissions.edit && (
        <>
          {sourceURL !== undefined && (
            <Button
              icon={RefreshCw}
              busy={readAgain.isPending || isBeingRead(spec)}
              onClick={() => readAgain.mutate(sourceURL)}
            >
              {words.readAgain}
            </Button>
          )}
          <Button icon={Replace} onClick={() => ask('replace')}>
            {words.replace}
          </Button>
          <Button kind="danger" icon={Trash2} onClick={() => ask('delete')}>
            {t.common.delete}
          </Button>
        </>
      )}
      <PutInDialog open={asked === 'put'} onClose={close} organizationId={organizationId} specSlug={specSlug} />
      <ReplaceDialog open={asked === 'replace'} onClose={close} organizationId={organizationId} specSlug={specSlug} />
      <FormDialog
        open={asked === 'delete'}
        onClose={close}
        title={words.remove}
        action={t.common.delete}
        busy={remove.isPending}
        onSubmit={() => remove.mutate(undefined)}
      >
        <p>{words.removeText(specSlug)}</p>
      </FormDialog>
    </div>
  )
}

function SpecAccess({ spec, organizationId }: OfSpec) {
  const update = useAction(
    (visibility: Spec['visibility']) =>
      call('updateOpenAPISpecBySlug', { organizationId, specSlug: spec.slug, body: { visibility } }),
    { refreshes: staleSpecs, onDone: () => showDone(t.common.saved) },
  )
  const link = spec.urls.published
  return (
    <>
      {spec.permissions.edit && (
        <div className="ui-form ui-two">
          <Select
            label={words.visibility}
            hint={words.visibilityHint}
            value={spec.visibility}
            onChange={({ target }) => update.mutate(target.value === 'public' ? 'public' : 'private')}
            options={(['private', 'public'] as const).map((value) => ({ value, label: words.visibilities[value] }))}
          />
        </div>
      )}
      {link !== undefined && (
        <div className="ui-token">
          <p>{words.link}</p>
          <code>{link}</code>
          {navigator.clipboard !== undefined && (
            <IconButton
              label={words.copyLink}
              icon={Copy}
              onClick={() => void navigator.clipboard.writeText(link).then(() => showDone(t.common.copied))}
            />
          )}
        </div>
      )}
    </>
  )
}
