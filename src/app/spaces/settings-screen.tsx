/** The settings of a space. Each is sent when it is left. */
import { Copy, GitBranch, Trash2 } from 'lucide-react'
import { Redirect, useLocation, useParams } from 'wouter'
import { Top } from '../frame/frame.tsx'
import { lazyPart } from '../frame/lazy.tsx'
import { paths } from '../frame/paths.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { SavedField, Select } from '../kit/field.tsx'
import { TabLink, Tabs } from '../kit/tabs.tsx'
import { showDone } from '../kit/toast.tsx'
import { IconPicker } from '../pages/icon-picker.tsx'
import { call, type Input, type Name, refresh, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { organizationTexts } from '../texts/organization.ts'
import { emojiOf } from '../tree/page-icon.tsx'
import { useSpace } from './space-context.tsx'

const stale: Name[] = ['getSpaceById', 'listSpacesInOrganizationById']

const SpacePeople = lazyPart(async () => (await import('./space-people.tsx')).SpacePeople)

export default function SettingsScreen() {
  const { space } = useSpace()
  const { tab } = useParams<{ tab?: string }>()
  if (!space.permissions.admin) return <Redirect to={paths.space(space.id)} replace />
  if (tab !== undefined && tab !== 'people') return <Redirect to={paths.settings(space.id)} replace />
  return (
    <div className="ui-screen narrow">
      <Top title={t.spaces.settings} crumbs={[{ label: space.title, href: paths.space(space.id) }]} />
      <h1 className="sr">{t.spaces.settings}</h1>
      <Tabs label={t.spaces.settings}>
        <TabLink href={paths.settings(space.id)} isHere={tab === undefined}>
          {organizationTexts.rights.general}
        </TabLink>
        <TabLink href={paths.settings(space.id, 'people')} isHere={tab === 'people'}>
          {organizationTexts.rights.people}
        </TabLink>
      </Tabs>
      {tab === 'people' ? <SpacePeople /> : <General />}
    </div>
  )
}

function General() {
  const { space } = useSpace()
  const [, navigate] = useLocation()
  const collections = useCall('listCollectionsInOrganizationById', {
    organizationId: space.organization,
    query: { limit: 1000 },
  })
  const update = useAction(
    (body: Input<'updateSpaceById'>['body']) => call('updateSpaceById', { spaceId: space.id, body }),
    {
      refreshes: stale,
      onDone: () => showDone(t.common.saved),
    },
  )
  const moveTo = useAction(
    (parent: string) => call('moveSpace', { spaceId: space.id, body: { parent: parent || null } }),
    {
      refreshes: stale,
      onDone: () => showDone(t.common.saved),
    },
  )
  const duplicate = useAction(() => call('duplicateSpace', { spaceId: space.id }), {
    refreshes: stale,
    onDone: ({ id }) => navigate(paths.space(id)),
  })
  const remove = useAction(() => call('deleteSpaceById', { spaceId: space.id }), {
    refreshes: stale,
    onDone: () => {
      navigate(paths.home)
      showDone(t.spaces.trashed(space.title), {
        label: t.common.undo,
        run: () => void call('restoreSpace', { spaceId: space.id }).then(() => refresh(...stale)),
      })
    },
  })
  return (
    <div className="ui-form">
      <div className="ui-with-icon">
        <IconPicker
          label={t.spaces.emoji}
          canEdit
          only="emoji"
          onChoose={(icon) => update.mutate({ emoji: icon && 'emoji' in icon ? icon.emoji : null })}
          button={
            <button type="button" className="ui-page-icon emoji">
              {space.emoji ? emojiOf(space.emoji) : '📘'}
            </button>
          }
        />
        <SavedField
          label={t.spaces.name}
          value={space.title}
          maxLength={50}
          onSave={(title) => update.mutate({ title })}
        />
      </div>
      <Select
        label={t.spaces.editMode}
        value={space.editMode ?? 'live'}
        onChange={({ target }) => update.mutate({ editMode: target.value === 'locked' ? 'locked' : 'live' })}
        options={[
          { value: 'live', label: t.spaces.live },
          { value: 'locked', label: t.spaces.locked },
        ]}
      />
      <Select
        label={t.spaces.collection}
        value={space.parent ?? ''}
        onChange={({ target }) => moveTo.mutate(target.value)}
        options={[
          { value: '', label: t.spaces.noCollection },
          ...(collections.data?.items ?? []).map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
      <SavedField
        label={t.spaces.language}
        hint={t.spaces.languageHint}
        value={space.language ?? ''}
        maxLength={8}
        onSave={(language) => update.mutate({ language: language.toLowerCase() })}
      />
      <div className="ui-request-actions">
        <ButtonLink icon={GitBranch} href={paths.git(space.id)}>
          {t.nav.git}
        </ButtonLink>
        <Button icon={Copy} busy={duplicate.isPending} onClick={() => duplicate.mutate(undefined)}>
          {t.spaces.duplicate}
        </Button>
        <Button kind="danger" icon={Trash2} busy={remove.isPending} onClick={() => remove.mutate(undefined)}>
          {t.spaces.toTrash}
        </Button>
      </div>
    </div>
  )
}
