/** The host name of a site's own: asked for, proved, given up. */
import { useState } from 'react'
import { CallFailed } from '../../../client/client.ts'
import { Button } from '../../kit/button.tsx'
import { FormDialog } from '../../kit/dialog.tsx'
import { Loaded } from '../../kit/empty.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { When } from '../../kit/when.tsx'
import { call, type Name, type Output, useAction, useCall } from '../../session/client.ts'
import { isAbout, isTaken, useFormAction } from '../../session/form-action.ts'
import { addressTexts as words } from '../../texts/site-address.ts'
import type { Site } from '../row.tsx'
import { CopyText, OneField } from './one-field.tsx'

/** What is no longer true when a site is read at another address. */
export const staleAddresses: Name[] = [
  'getSiteById',
  'listSites',
  'getSitePublishingPreviewById',
  'getSiteStructure',
  'listSiteSpaces',
  'listSiteShareLinks',
  'getSpaceById',
]

export function HostName({ site }: { site: Site }) {
  const { hostname, pendingHostname, permissions } = site
  return (
    <section aria-labelledby="host-name">
      <header className="ui-heading">
        <h2 id="host-name">{words.hostTitle}</h2>
      </header>
      {hostname === undefined && <p className="ui-quiet">{words.hostAbout}</p>}
      {hostname !== undefined && <ActiveName hostname={hostname} canChange={permissions.admin} />}
      {permissions.admin ? (
        <>
          {pendingHostname !== undefined && <PendingName site={site} hostname={pendingHostname} />}
          <AskForName key={`${hostname} ${pendingHostname}`} site={site} />
        </>
      ) : (
        <p className="ui-quiet">{words.adminOnly}</p>
      )}
    </section>
  )
}

function AskForName({ site }: { site: Site }) {
  const {
    mutate: send,
    isPending: busy,
    error,
    reset,
  } = useFormAction((hostname: string) => call('setCustomHostname', { hostname, body: { site: site.id } }), {
    refreshes: [...staleAddresses, 'getCustomHostname'],
    onDone: tellIfActive,
  })
  const isWrong = isAbout(error, 'hostname')
  const problem = isTaken(error) ? words.hostTaken : isWrong ? words.hostWrong : undefined
  const isFirst = site.hostname === undefined && site.pendingHostname === undefined
  return (
    <>
      {isFirst && <p className="ui-quiet">{words.hostSteps}</p>}
      <OneField
        label={isFirst ? words.host : words.hostOther}
        hint={words.hostHint}
        value=""
        maxLength={512}
        action={words.ask}
        busy={busy}
        problem={problem}
        onChange={reset}
        onSend={(text) => send(nameIn(text))}
      />
      {problem === undefined && <FormProblem error={error} />}
    </>
  )
}

/** A name may be pasted as an address. */
const nameIn = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '')

type Hostname = Output<'setCustomHostname'>

function tellIfActive({ hostname, status }: Hostname): void {
  if (status === 'active') showDone(words.nowActive(hostname))
}

function ActiveName({ hostname, canChange }: { hostname: string; canChange: boolean }) {
  const [asking, setAsking] = useState(false)
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(() => call('removeCustomHostname', { hostname }), {
    refreshes: staleAddresses,
    onDone: () => {
      setAsking(false)
      showDone(words.removedHost(hostname))
    },
  })
  return (
    <div className="ui-named">
      <p>{words.active(hostname)}</p>
      {canChange && (
        <Button kind="danger" onClick={() => setAsking(true)}>
          {words.removeHost}
        </Button>
      )}
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.removeHostTitle(hostname)}
        action={words.removeHost}
        busy={busy}
        onSubmit={() => send(undefined)}
      >
        <p>{words.removeHostText(hostname)}</p>
        <FormProblem error={error} />
      </FormDialog>
    </div>
  )
}

function PendingName({ site, hostname }: { site: Site; hostname: string }) {
  const claim = useCall('getCustomHostname', { hostname })
  const [isMissing, setMissing] = useState(false)
  const check = useAction(() => call('setCustomHostname', { hostname, body: { site: site.id } }), {
    refreshes: [...staleAddresses, 'getCustomHostname'],
    onDone: (answer) => {
      tellIfActive(answer)
      setMissing(answer.status === 'pending')
    },
  })
  const withdraw = useAction(() => call('removeCustomHostname', { hostname }), {
    refreshes: staleAddresses,
    onDone: () => showDone(words.withdrawn(hostname)),
  })
  if (claim.error instanceof CallFailed && claim.error.status === 404)
    return (
      <div className="ui-named">
        <p>{words.expired(hostname)}</p>
        <Button busy={check.isPending} onClick={() => check.mutate(undefined)}>
          {words.askAgain}
        </Button>
      </div>
    )
  return (
    <Loaded query={claim} lines={3}>
      {({ verification, expiresAt }) => (
        <div className="ui-claim">
          <h3>{words.pending(hostname)}</h3>
          <p>{words.hostSteps}</p>
          <p>
            {words.pendingAbout}
            {expiresAt !== undefined && (
              <>
                {' '}
                {words.ends} <When time={expiresAt} />.
              </>
            )}
          </p>
          {verification && (
            <>
              <Proof
                title={words.byTxt}
                lines={[
                  [words.recordName, verification.txt.name],
                  [words.recordValue, verification.txt.value],
                ]}
              />
              <Proof
                title={words.byFile}
                lines={[
                  [words.fileAddress, verification.file.url],
                  [words.fileLine, verification.file.content],
                ]}
              />
            </>
          )}
          <p role="status" className="ui-problem">
            {isMissing && !check.isPending && words.notYet}
          </p>
          <div className="ui-heading-actions">
            <Button kind="primary" busy={check.isPending} onClick={() => check.mutate(undefined)}>
              {words.check}
            </Button>
            <Button kind="quiet" busy={withdraw.isPending} onClick={() => withdraw.mutate(undefined)}>
              {words.giveUp}
            </Button>
          </div>
        </div>
      )}
    </Loaded>
  )
}

const Proof = ({ title, lines }: { title: string; lines: readonly (readonly [name: string, text: string])[] }) => (
  <div className="ui-proof">
    <h4>{title}</h4>
    <dl>
      {lines.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <CopyText label={words.copy(`${title}, ${name}`)} text={text} />
          </dd>
        </div>
      ))}
    </dl>
  </div>
)
