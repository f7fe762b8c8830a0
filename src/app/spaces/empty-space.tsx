/** A space without pages: how to begin. */
import { FileInput, FileText, Plus } from 'lucide-react'
import { useLocation } from 'wouter'
import { paths } from '../frame/paths.ts'
import { Button, ButtonLink } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { Menu } from '../kit/menu.tsx'
import { contentChanged } from '../pages/content-target.ts'
import { call, useAction, useCall } from '../session/client.ts'
import { t } from '../texts/index.ts'
import { add } from '../tree/moves.ts'
import { useSpace } from './space-context.tsx'

export function EmptySpace() {
  const { space, content, canEdit, request, pathOf } = useSpace()
  const [, navigate] = useLocation()
  const templates = useCall('listTemplates', {}, { enabled: canEdit && !request })
  const create = useAction(() => add(content, { title: t.common.untitled }), {
    onDone: (page) => page && navigate(pathOf(page)),
  })
  const apply = useAction((id: string) => call('applyTemplateToSpace', { spaceId: content.space, body: { id } }), {
    onDone: () => void contentChanged(content),
  })
  return (
    <Empty icon={FileText} title={t.page.noPages} text={t.page.noPagesText}>
      {canEdit && (
        <Button kind="primary" icon={Plus} busy={create.isPending} onClick={() => create.mutate(undefined)}>
          {t.tree.newPage}
        </Button>
      )}
      {canEdit && (
        <ButtonLink
          icon={FileInput}
          href={paths.newImport(space.organization, {
            space: space.id,
            ...(request ? { changeRequest: request.number } : {}),
          })}
        >
          {t.nav.bringIn}
        </ButtonLink>
      )}
      {canEdit && !request && (templates.data?.items.length ?? 0) > 0 && (
        <Menu
          label={t.spaces.useTemplate}
          placement="bottom-start"
          button={
            <button type="button" className="ui-button plain">
              {t.spaces.useTemplate}
            </button>
          }
          entries={(templates.data?.items ?? []).map(({ id, title }) => ({
            label: title,
            run: () => apply.mutate(id),
          }))}
        />
      )}
    </Empty>
  )
}
