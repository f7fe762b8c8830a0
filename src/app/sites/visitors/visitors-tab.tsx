/** What a site knows of its visitors: whether anything, which claims are declared, and what a token admits to. */
import { Braces, Copy, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { Loaded } from '../../kit/empty.tsx'
import { Check } from '../../kit/field.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { showDone, showProblem } from '../../kit/toast.tsx'
import { call, callQuery, queries, refresh, useAction, useCall } from '../../session/client.ts'
import { explain } from '../../session/errors.ts'
import { endedSession } from '../../session/signed-out.ts'
import { t } from '../../texts/index.ts'
import { visitorTexts as words } from '../../texts/visitors.ts'
import type { SiteIds } from '../row.tsx'
import type { PartOfSite } from '../site-overview.tsx'
import { ClaimForm } from './claim-form.tsx'
import { type Claim, claimsIn, expressionOf, hasForm, kindOf, schemaIn, valuesOf } from './claims.ts'
import { removeClaim, restoreClaim, staleSchema } from './schema.ts'
import { SchemaForm } from './schema-form.tsx'
import { TryToken } from './try-token.tsx'

type Asked = { kind: 'claim'; claim?: Claim } | { kind: 'json' }

export function VisitorsTab({ site, organizationId }: PartOfSite) {
  const ids = { organizationId, siteId: site.id }
  const schema = useCall('getSiteAdaptiveSchema', ids)
  const update = useAction(
    (enabled: boolean) => call('updateSiteById', { ...ids, body: { adaptiveContent: { enabled } } }),
    {
      refreshes: ['getSiteById'],
      onDone: (changed, enabled) => {
        // Known at once, so that the box does not go back until the site has been asked for again.
        queries.setQueryData(callQuery('getSiteById', ids).queryKey, changed)
        showDone(enabled ? words.turnedOn : words.turnedOff)
      },
    },
  )
  return (
    <>
      <section aria-labelledby="site-visitors">
        <header className="ui-heading">
          <h2 id="site-visitors">{words.title}</h2>
        </header>
        <p className="ui-quiet">{words.about}</p>
        <Check
          label={words.enabled}
          hint={words.enabledHint}
          checked={update.isPending ? update.variables : site.adaptiveContent.enabled}
          disabled={update.isPending}
          onChange={({ target }) => update.mutate(target.checked)}
        />
      </section>
      <Loaded query={schema} lines={3}>
        {({ jsonSchema, updatedAt }) => (
          <Claims ids={ids} jsonSchema={jsonSchema} wasPut={updatedAt !== site.createdAt} />
        )}
      </Loaded>
      {site.permissions.admin && <TryToken ids={ids} />}
    </>
  )
}

interface ClaimsProps {
  ids: SiteIds
  jsonSchema: unknown
  /** Whether somebody has declared claims before; until then every claim is found. */
  wasPut: boolean
}

function Claims({ ids, jsonSchema, wasPut }: ClaimsProps) {
  const claims = claimsIn(schemaIn(jsonSchema))
  const [question, setQuestion] = useState<{ asked: Asked; number: number } | undefined>()
  const [isOpen, setOpen] = useState(false)
  const ask = (asked: Asked): void => {
    setQuestion({ asked, number: (question?.number ?? 0) + 1 })
    setOpen(true)
  }
  const close = (): void => setOpen(false)
  const { asked, number } = question ?? {}
  return (
    <section aria-labelledby="site-claims">
      <header className="ui-heading">
        <h2 id="site-claims">{words.claims}</h2>
        <div className="ui-heading-actions">
          <Button icon={Braces} onClick={() => ask({ kind: 'json' })}>
            {words.asJson}
          </Button>
          <Button kind="primary" icon={Plus} onClick={() => ask({ kind: 'claim' })}>
            {words.add}
          </Button>
        </div>
      </header>
      {claims.length === 0 && <p className="ui-quiet">{wasPut ? words.noneLeft : words.noneYet}</p>}
      <ul className="ui-list">
        {claims.map((claim, index) => (
          <ClaimRow
            key={`${claim.unsigned} ${claim.name}`}
            claim={claim}
            onEdit={() => ask(hasForm(claim.schema) ? { kind: 'claim', claim } : { kind: 'json' })}
            onRemove={() => void remove(ids, claim, index)}
          />
        ))}
      </ul>
      {asked?.kind === 'claim' && (
        <ClaimForm key={number} open={isOpen} onClose={close} ids={ids} claims={claims} claim={asked.claim} />
      )}
      {asked?.kind === 'json' && (
        <SchemaForm key={number} open={isOpen} onClose={close} ids={ids} schema={jsonSchema} />
      )}
    </section>
  )
}

async function remove(ids: SiteIds, claim: Claim, at: number): Promise<void> {
  const attempt = async (run: () => Promise<void>): Promise<boolean> => {
    try {
      await run()
      return true
    } catch (error) {
      if (!endedSession(error)) showProblem(explain(error))
      return false
    } finally {
      void refresh(...staleSchema)
    }
  }
  if (!(await attempt(() => removeClaim(ids, claim)))) return
  const bringBack = (): void => void attempt(() => restoreClaim(ids, claim, at))
  showDone(words.removed(claim.name), { label: t.common.undo, run: bringBack })
}

function ClaimRow({ claim, onEdit, onRemove }: { claim: Claim; onEdit: () => void; onRemove: () => void }) {
  const { name, unsigned, schema } = claim
  const values = valuesOf(schema)
  const expression = expressionOf(claim)
  const entries: MenuEntry[] = [
    { label: words.change, icon: Pencil, run: onEdit },
    ...(navigator.clipboard === undefined
      ? []
      : [
          {
            label: words.copy,
            icon: Copy,
            run: () => void navigator.clipboard.writeText(expression).then(() => showDone(t.common.copied)),
          },
        ]),
    { label: t.common.delete, icon: Trash2, danger: true, apart: true, run: onRemove },
  ]
  return (
    <li className="ui-redirect">
      <button type="button" className="addresses" onClick={onEdit}>
        <code>{expression}</code>
        <span className="destination claim">
          {schema.description}
          <small>{values.length > 0 ? values.join(', ') : words.kinds[kindOf(schema)]}</small>
          {unsigned && <small>{words.bySelf}</small>}
        </span>
      </button>
      <Menu
        label={words.actions(name)}
        entries={entries}
        button={
          <button type="button" className="ui-icon-button">
            <MoreHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
          </button>
        }
      />
    </li>
  )
}
