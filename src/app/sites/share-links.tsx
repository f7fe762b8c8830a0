/** The secret links of a site that is read by whoever has one. */
import { Copy, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Loaded } from '../kit/empty.tsx'
import { TextField } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import type { Site } from './row.tsx'

export function ShareLinks({ site, organizationId }: { site: Site; organizationId: string }) {
  const input = { organizationId, siteId: site.id }
  const links = useCall('listSiteShareLinks', { ...input, query: { limit: 200 } })
  const [asking, setAsking] = useState(false)
  const [name, setName] = useState('')
  const create = useAction(() => call('createSiteShareLink', { ...input, body: { name: name.trim() } }), {
    refreshes: ['listSiteShareLinks'],
    onDone: () => {
      setAsking(false)
      setName('')
    },
  })
  const remove = useAction((shareLinkId: string) => call('deleteSiteShareLinkById', { ...input, shareLinkId }), {
    refreshes: ['listSiteShareLinks'],
    onDone: () => showDone(t.sites.linkDeleted),
  })
  return (
    <section aria-labelledby="share-links">
      <header className="ui-heading">
        <h2 id="share-links">{t.sites.links}</h2>
        <Button kind="quiet" icon={Plus} onClick={() => setAsking(true)}>
          {t.sites.newLink}
        </Button>
      </header>
      <Loaded query={links} lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{t.sites.noLinks}</p>
          ) : (
            items.map(({ id, name: label = '', active, urls: { published = '' } }) => (
              <div key={id} className="ui-token">
                <p>
                  {label}
                  {!active && ` (${t.sites.linkOff})`}
                </p>
                <code>{published}</code>
                {navigator.clipboard !== undefined && (
                  <IconButton
                    label={t.sites.copyLink(label)}
                    icon={Copy}
                    onClick={() => void navigator.clipboard.writeText(published).then(() => showDone(t.common.copied))}
                  />
                )}
                <IconButton label={t.sites.deleteLink(label)} icon={Trash2} onClick={() => remove.mutate(id)} />
              </div>
            ))
          )
        }
      </Loaded>
      <FormDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={t.sites.newLink}
        action={t.common.create}
        busy={create.isPending}
        disabled={name.trim() === ''}
        onSubmit={() => create.mutate(undefined)}
      >
        <TextField
          label={t.sites.linkName}
          maxLength={50}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </FormDialog>
    </section>
  )
}
