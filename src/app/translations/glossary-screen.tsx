/** The glossary of all translations: terms, and what they are called in each language. It is written whole, read just before. */
import { BookA, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Redirect } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { TextField } from '../kit/field.tsx'
import { showDone } from '../kit/toast.tsx'
import { useAction, useCall } from '../session/client.ts'
import { useOrganization } from '../session/session.tsx'
import { t } from '../texts/index.ts'
import { translationTexts as words } from '../texts/translations.ts'
import { changeGlossary, type Entry, mostTerms } from './glossary.ts'
import { nameOfLanguage } from './language-names.ts'
import { TermDialog } from './term-dialog.tsx'
import { TranslationTabs } from './translation-tabs.tsx'

const shownAtOnce = 100

export default function GlossaryScreen() {
  const { id: organizationId, permissions } = useOrganization()
  const [asked, ask] = useState<Entry | 'new' | undefined>()
  const [filter, setFilter] = useState('')
  const [most, setMost] = useState(shownAtOnce)
  const glossary = useCall(
    'listTranslationsGlossary',
    { organizationId, query: { limit: mostTerms } },
    { enabled: permissions.admin },
  )
  const remove = useAction((entry: Entry) => changeGlossary(organizationId, { remove: entry.term }), {
    refreshes: ['listTranslationsGlossary', 'listTranslations'],
    onDone: (_result, entry) =>
      showDone(words.termRemoved(entry.term), { label: t.common.undo, run: () => putBack.mutate(entry) }),
  })
  const putBack = useAction((entry: Entry) => changeGlossary(organizationId, { put: entry }), {
    refreshes: ['listTranslationsGlossary', 'listTranslations'],
  })
  if (!permissions.admin) return <Redirect to={paths.home} replace />
  const isFull = (glossary.data?.items.length ?? 0) >= mostTerms
  const button = (
    <Button kind="primary" icon={Plus} disabled={isFull} onClick={() => ask('new')}>
      {words.newTerm}
    </Button>
  )
  return (
    <Frame side={<HomeSide />}>
      <Top title={words.glossary} crumbs={[{ label: words.title, href: paths.translations(organizationId) }]}>
        {button}
      </Top>
      <h1 className="sr">{words.glossary}</h1>
      <TranslationTabs organizationId={organizationId} here="glossary" />
      <Loaded query={glossary}>
        {({ items }) => {
          const found = items.filter((entry) => holds(entry, filter))
          if (items.length === 0)
            return (
              <Empty icon={BookA} title={words.glossaryEmpty} text={words.glossaryText}>
                {button}
              </Empty>
            )
          return (
            <>
              <p className="ui-quiet">{words.glossaryText}</p>
              {items.length > 12 && (
                <TextField
                  label={words.findTerm}
                  type="search"
                  value={filter}
                  onChange={({ target }) => setFilter(target.value)}
                />
              )}
              <p className="ui-quiet ui-count">{isFull ? words.full : words.terms(items.length)}</p>
              {found.length === 0 && <p className="ui-quiet">{words.noTermFound}</p>}
              <ul className="ui-list">
                {found.slice(0, most).map((entry) => (
                  <li key={entry.id} className="ui-row">
                    <span className="title whole">
                      {entry.term}
                      <small className="below">{translationsOf(entry)}</small>
                    </span>
                    <IconButton label={`${words.editTerm}: ${entry.term}`} icon={Pencil} onClick={() => ask(entry)} />
                    <IconButton
                      label={words.removeTerm(entry.term)}
                      icon={Trash2}
                      onClick={() => remove.mutate(entry)}
                    />
                  </li>
                ))}
              </ul>
              {found.length > most && (
                <Button kind="quiet" onClick={() => setMost(most + shownAtOnce)}>
                  {t.common.showMore}
                </Button>
              )}
            </>
          )
        }}
      </Loaded>
      {asked !== undefined && (
        <TermDialog
          entry={asked === 'new' ? undefined : asked}
          known={glossary.data?.items ?? []}
          organizationId={organizationId}
          onClose={() => ask(undefined)}
        />
      )}
    </Frame>
  )
}

const translationsOf = ({ translations }: Entry): string =>
  Object.entries(translations)
    .map(([code, term]) => `${nameOfLanguage(code)}: ${term}`)
    .join(' · ') || words.staysAsIs

const holds = ({ term, translations }: Entry, filter: string): boolean =>
  [term, ...Object.values(translations)].some((text) =>
    text.toLocaleLowerCase().includes(filter.trim().toLocaleLowerCase()),
  )
