/** All translations of the organization, and the way to a new one. */
import { Languages, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { When } from '../kit/when.tsx'
import { useCall } from '../session/client.ts'
import { useLongList } from '../session/long-list.ts'
import { useOrganization } from '../session/session.tsx'
import { translationTexts as words } from '../texts/translations.ts'
import { nameOfLanguage } from './language-names.ts'
import { NewTranslationDialog } from './new-translation-dialog.tsx'
import { isUnderWay, type Translation, TranslationState } from './state.tsx'
import { TranslationTabs } from './translation-tabs.tsx'

export default function TranslationsScreen() {
  const { id: organizationId, permissions } = useOrganization()
  const [asking, setAsking] = useState(false)
  const translations = useLongList(
    'listTranslations',
    { organizationId },
    { enabled: permissions.admin, again: (items) => (items.some(isUnderWay) ? 2_000 : false) },
  )
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  if (!permissions.admin) return <Redirect to={paths.home} replace />
  const titles = new Map(spaces.data?.items.map(({ id, title }) => [id, title]))
  const button = (
    <Button kind="primary" icon={Plus} onClick={() => setAsking(true)}>
      {words.new}
    </Button>
  )
  return (
    <Frame side={<HomeSide />}>
      <Top title={words.title}>{button}</Top>
      <h1 className="sr">{words.title}</h1>
      <TranslationTabs organizationId={organizationId} here="list" />
      <Loaded query={translations}>
        {({ items, count }) =>
          items.length === 0 ? (
            <Empty icon={Languages} title={words.empty} text={`${words.emptyText} ${words.engineHint}`}>
              {button}
            </Empty>
          ) : (
            <>
              <p className="ui-quiet">{words.all(count)}</p>
              <ul className="ui-list">
                {items.map((translation) => (
                  <TranslationRow
                    key={translation.id}
                    translation={translation}
                    title={spaces.data ? (titles.get(translation.source.space) ?? words.goneSpace) : ''}
                    href={paths.translation(organizationId, translation.id)}
                  />
                ))}
              </ul>
              <MoreButton list={translations} />
            </>
          )
        }
      </Loaded>
      <NewTranslationDialog
        open={asking}
        onClose={() => setAsking(false)}
        organizationId={organizationId}
        spaces={spaces.data?.items ?? []}
        known={translations.data?.items ?? []}
      />
    </Frame>
  )
}

const TranslationRow = ({ translation, title, href }: { translation: Translation; title: string; href: string }) => (
  <li>
    <Link className="ui-row" href={href}>
      <Languages size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="title">
        {title}
        <small>
          {nameOfLanguage(translation.source.language)} → {nameOfLanguage(translation.language)}
        </small>
      </span>
      <TranslationState translation={translation} />
      <span className="meta ui-wide-only">
        <When time={translation.updatedAt} />
      </span>
    </Link>
  </li>
)
