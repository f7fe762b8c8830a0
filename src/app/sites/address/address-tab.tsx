/** Where a site is read: its address here, a host name of its own, a folder of another web site, a preview; and its end. */
import { Eye, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../../frame/paths.ts'
import { Button } from '../../kit/button.tsx'
import { FormDialog } from '../../kit/dialog.tsx'
import { FormProblem } from '../../kit/forms/problem.tsx'
import { showDone } from '../../kit/toast.tsx'
import { When } from '../../kit/when.tsx'
import { call, type Input, type Output, queries, useAction, useCall } from '../../session/client.ts'
import { isAbout, isTaken, useFormAction } from '../../session/form-action.ts'
import { t } from '../../texts/index.ts'
import { addressTexts as words } from '../../texts/site-address.ts'
import { addressOf, type Site } from '../row.tsx'
import type { PartOfSite } from '../site-overview.tsx'
import { HostName, staleAddresses } from './host-name.tsx'
import { CopyText, OneField } from './one-field.tsx'

export function AddressTab({ site, organizationId }: PartOfSite) {
  const preview = useCall('getSitePublishingPreviewById', { organizationId, siteId: site.id }, { staleTime: 60_000 })
  // The address of a preview begins with that of the site, published or not.
  const root = preview.data?.previewURL.replace(/\/~preview\/.*$/, '') ?? site.urls.published
  return (
    <>
      <section aria-labelledby="site-address">
        <header className="ui-heading">
          <h2 id="site-address">{words.title}</h2>
        </header>
        {site.visibility === 'share-link' ? (
          <p>{words.byLink}</p>
        ) : (
          root !== undefined && (
            <div className="ui-token">
              <p>{site.published ? words.live : words.later}</p>
              <CopyText label={words.copyAddress} text={root} />
            </div>
          )
        )}
        <AddressHere key={site.basename} site={site} organizationId={organizationId} root={root} />
      </section>
      <HostName site={site} />
      <Folder key={site.proxy?.origin ?? ''} site={site} organizationId={organizationId} />
      <Preview site={site} organizationId={organizationId} />
      {site.permissions.admin && <End site={site} organizationId={organizationId} root={root} />}
    </>
  )
}

function useUpdate({ site, organizationId }: PartOfSite) {
  return useFormAction(
    (body: Input<'updateSiteById'>['body']) => call('updateSiteById', { organizationId, siteId: site.id, body }),
    { refreshes: staleAddresses, onDone: () => showDone(t.common.saved) },
  )
}

interface WithRoot extends PartOfSite {
  root: string | undefined
}

function AddressHere({ root, ...about }: WithRoot) {
  const { site } = about
  const { mutate: send, isPending: busy, error, reset } = useUpdate(about)
  const problem = isTaken(error) ? words.partTaken : isAbout(error, 'basename') ? words.partWrong : undefined
  return (
    <>
      <OneField
        label={words.part}
        hint={hintFor(site, root)}
        value={site.basename ?? ''}
        maxLength={100}
        action={words.change}
        busy={busy}
        problem={problem}
        onChange={reset}
        onSend={(basename) => send({ basename })}
      />
      {problem === undefined && <FormProblem error={error} />}
    </>
  )
}

function hintFor({ hostname, proxy }: Site, root: string | undefined): string {
  if (hostname !== undefined) return words.partLeads(hostname)
  const here = proxy?.target ?? root
  return here === undefined ? words.partChanges : words.partAbout(addressOf(here))
}

function Folder(about: PartOfSite) {
  const { proxy } = about.site
  const { mutate: send, isPending: busy, error, reset } = useUpdate(about)
  const problem = isTaken(error) ? words.proxyTaken : isAbout(error, 'proxy') ? words.proxyWrong : undefined
  const written = (text: string): string => text.replace(/^https?:\/\//i, '').replace(/\/+$/, '')
  return (
    <section aria-labelledby="site-folder">
      <header className="ui-heading">
        <h2 id="site-folder">{words.proxyTitle}</h2>
      </header>
      <p className="ui-quiet">{words.proxyAbout}</p>
      <OneField
        label={words.proxy}
        hint={words.proxyHint}
        value={proxy?.origin ?? ''}
        maxLength={512}
        action={words.change}
        busy={busy}
        problem={problem}
        onChange={reset}
        onSend={(text) => send({ proxy: text === '' ? null : written(text) })}
      />
      {problem === undefined && <FormProblem error={error} />}
      {proxy && (
        <div className="ui-token">
          <p>{words.proxyTarget}</p>
          <CopyText label={words.copyAddress} text={proxy.target} />
        </div>
      )}
    </section>
  )
}

function Preview({ site, organizationId }: PartOfSite) {
  const [made, setMade] = useState<Output<'getSitePublishingPreviewById'> | undefined>()
  const make = useAction(() => call('getSitePublishingPreviewById', { organizationId, siteId: site.id }), {
    onDone: setMade,
  })
  return (
    <section aria-labelledby="site-preview">
      <header className="ui-heading">
        <h2 id="site-preview">{words.previewTitle}</h2>
        <Button icon={Eye} busy={make.isPending} onClick={() => make.mutate(undefined)}>
          {words.makePreview}
        </Button>
      </header>
      <p className="ui-quiet">{words.previewAbout}</p>
      <div aria-live="polite">
        {made && (
          <div className="ui-token">
            <p>
              {words.until} <When time={made.expiresAt} />
            </p>
            <CopyText label={words.copyPreview} text={made.previewURL} />
          </div>
        )}
      </div>
    </section>
  )
}

function End({ site, organizationId, root }: WithRoot) {
  const [asking, setAsking] = useState(false)
  const [, navigate] = useLocation()
  const ids = { organizationId, siteId: site.id }
  const {
    mutate: send,
    isPending: busy,
    error,
  } = useFormAction(() => call('deleteSiteById', ids), {
    refreshes: ['listSites', 'getSpaceById'],
    onDone: () => {
      navigate(paths.sites)
      setTimeout(forget, 0, site.id)
      showDone(words.deleted(site.title))
    },
  })
  return (
    <section aria-labelledby="site-end">
      <header className="ui-heading">
        <h2 id="site-end">{words.danger}</h2>
        <Button kind="danger" icon={Trash2} onClick={() => setAsking(true)}>
          {words.delete}
        </Button>
      </header>
      <p className="ui-quiet">{words.dangerAbout}</p>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle(site.title)}
        action={words.deleteAction}
        busy={busy}
        onSubmit={() => send(undefined)}
      >
        <p>{words.dangerAbout}</p>
        <p>{words.deleteText(addressOf(root ?? site.basename ?? ''))}</p>
        <FormProblem error={error} />
      </FormDialog>
    </section>
  )
}

/** What is known of a site that is gone, when nothing shows it any more. */
const forget = (siteId: string): void =>
  queries.removeQueries({ predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(siteId) })
