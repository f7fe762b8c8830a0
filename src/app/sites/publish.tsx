/** From a space to its readers: the button beside a page, and the questions behind it. */
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { FormDialog } from '../kit/dialog.tsx'
import { Select, TextField } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { call, useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { useSpace } from '../spaces/space-context.tsx'
import { language, t } from '../texts/index.ts'
import { visibilities } from './visibility.ts'

/** "Publish" while the space is on no site; afterwards the way to its site. */
export function PublishButton() {
  const { space } = useSpace()
  const organization = useOrganization()
  const [open, setOpen] = useState(false)
  const sites = useCall('listSites', { organizationId: space.organization, query: { space: space.id, limit: 10 } })
  const site = sites.data?.items[0]
  if (!sites.data) return null
  if (site)
    return (
      <ButtonLink icon={Globe} href={paths.site(site.id)}>
        {t.sites.site}
      </ButtonLink>
    )
  if (!organization.permissions.createContent) return null
  return (
    <>
      <Button icon={Globe} onClick={() => setOpen(true)}>
        {t.sites.publish}
      </Button>
      {open && <NewSiteDialog onClose={() => setOpen(false)} space={{ id: space.id, title: space.title }} />}
    </>
  )
}

interface NewSiteDialogProps {
  onClose: () => void
  space?: { id: string; title: string }
}

/** Makes a site from a space and publishes it in one step. */
export function NewSiteDialog({ onClose, space }: NewSiteDialogProps) {
  const { id: organizationId } = useOrganization()
  const [title, setTitle] = useState(space?.title ?? '')
  const [chosen, choose] = useState(space?.id ?? '')
  const [visibility, setVisibility] = useState<(typeof visibilities)[number]>('public')
  const [, navigate] = useLocation()
  const spaces = useCall(
    'listSpacesInOrganizationById',
    { organizationId, query: { limit: 1000 } },
    { enabled: !space },
  )
  const create = useAction(
    async () => {
      const site = await call('createSite', {
        organizationId,
        body: { title: title.trim(), visibility, spaces: chosen === '' ? [] : [chosen] },
      })
      // Readers are spoken to in the language of whoever made the site, until somebody chooses another.
      if (language !== 'en') {
        const input = { organizationId, siteId: site.id }
        const customization = await call('getSiteCustomizationById', input)
        const body = { ...customization, internationalization: { locale: language } }
        await call('updateSiteCustomizationById', { ...input, body })
      }
      if (chosen !== '') await call('publishSite', { organizationId, siteId: site.id })
      return site
    },
    {
      refreshes: ['listSites', 'getSpaceById', 'getSiteById'],
      onDone: (site) => {
        onClose()
        navigate(paths.site(site.id))
        if (chosen !== '') showDone(t.sites.published)
      },
    },
  )
  return (
    <FormDialog
      open
      onClose={onClose}
      title={space ? t.sites.publishSpace(space.title) : t.sites.new}
      action={t.sites.publish}
      busy={create.isPending}
      disabled={title.trim().length < 2}
      onSubmit={() => create.mutate(undefined)}
    >
      <TextField label={t.sites.name} maxLength={128} value={title} onChange={({ target }) => setTitle(target.value)} />
      {!space && (
        <Select
          label={t.sites.space}
          value={chosen}
          onChange={({ target }) => choose(target.value)}
          options={[
            { value: '', label: t.spaces.noCollection },
            ...(spaces.data?.items ?? []).map((item) => ({ value: item.id, label: item.title })),
          ]}
        />
      )}
      <Select
        label={t.sites.visibility}
        value={visibility}
        onChange={({ target }) => setVisibility(visibilities.find((value) => value === target.value) ?? 'public')}
        options={visibilities.map((value) => ({ value, label: t.sites.visibilities[value] }))}
      />
    </FormDialog>
  )
}
