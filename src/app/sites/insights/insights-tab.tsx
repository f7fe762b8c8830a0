/** What readers of a site do: how many pages are read and which, over the days that one chooses. */
import { BarChart3, Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { paths } from '../../frame/paths.ts'
import { Button } from '../../kit/button.tsx'
import { Empty, Loaded } from '../../kit/empty.tsx'
import { Select } from '../../kit/field.tsx'
import { useAction } from '../../session/client.ts'
import { t } from '../../texts/index.ts'
import { insightsTexts as texts } from '../../texts/insights.ts'
import type { PartOfSite } from '../site-overview.tsx'
import { Chart } from './chart.tsx'
import { type Count, type CountType, pageTotals, totalOf, totalsBy, useCounts } from './counts.ts'
import { csvOf } from './csv.ts'
import { lastDays, lengthOf, type Range, rangeBefore, stepsOf, today } from './days.ts'
import { download } from './download.ts'
import { nameOf, readPageTitles, usePageTitles, useSiteSpaces } from './names.ts'
import { changeInWords, inWords, shareInWords } from './numbers.ts'
import { RangeChooser } from './range-chooser.tsx'

export function InsightsTab({ site, organizationId }: PartOfSite) {
  const [range, setRange] = useState<Range>(() => lastDays(30, today()))
  const asked = { organizationId, siteId: site.id }
  const counts = useCounts({ ...asked, ...range })
  return (
    <div className="insights" aria-busy={counts.isPlaceholderData || undefined}>
      <div className="insights-head">
        <RangeChooser range={range} onChange={setRange} />
        {counts.data && counts.data.length > 0 && <DownloadButton {...asked} range={range} counts={counts.data} />}
      </div>
      <Loaded query={counts} lines={8}>
        {(all) =>
          all.length === 0 ? (
            <Empty
              icon={BarChart3}
              title={site.published ? texts.empty : texts.emptyHidden}
              text={site.published ? texts.emptyText : texts.emptyHiddenText}
            />
          ) : (
            <Counted {...asked} range={range} all={all} />
          )
        }
      </Loaded>
      <p className="ui-hint">
        {texts.about} {site.permissions.edit && texts.feedback}
      </p>
    </div>
  )
}

interface Asked {
  organizationId: string
  siteId: string
  range: Range
}

function Counted({ all, ...asked }: Asked & { all: readonly Count[] }) {
  const [chosen, choose] = useState<CountType>('page_view')
  const types = [...totalsBy(all, ({ type }) => type)].sort((a, b) => b[1] - a[1])
  const type = types.some(([one]) => one === chosen) ? chosen : (types[0]?.[0] ?? 'page_view')
  const counts = all.filter((count) => count.type === type)
  const { steps, are } = stepsOf(
    asked.range,
    totalsBy(counts, ({ day }) => day),
  )
  return (
    <>
      {types.length > 1 && (
        <Select
          label={texts.what}
          value={type}
          onChange={({ target }) => choose(types.find(([one]) => one === target.value)?.[0] ?? type)}
          options={types.map(([one, total]) => ({ value: one, label: `${texts.types[one]} (${inWords(total)})` }))}
        />
      )}
      <Totals {...asked} type={type} counts={counts} />
      <section aria-labelledby="insights-time">
        <header className="ui-heading">
          <h2 id="insights-time">{texts.overTime(texts.types[type])}</h2>
        </header>
        <Chart what={texts.types[type]} range={asked.range} steps={steps} are={are} />
      </section>
      <ByPage {...asked} key={type} counts={counts} />
      <BySpace {...asked} counts={counts} />
    </>
  )
}

function Totals({
  organizationId,
  siteId,
  range,
  type,
  counts,
}: Asked & { type: CountType; counts: readonly Count[] }) {
  const before = useCounts({ organizationId, siteId, ...rangeBefore(range), type })
  const total = totalOf(counts)
  const days = lengthOf(range)
  const pages = new Set(counts.flatMap(({ page }) => page ?? [])).size
  return (
    <dl className="insights-totals" aria-label={texts.tiles}>
      <Total label={texts.total} value={inWords(total)}>
        {before.data && !before.isPlaceholderData && comparison(total, totalOf(before.data), days)}
      </Total>
      <Total label={texts.perDay} value={inWords(total / days)} />
      <Total label={texts.pagesRead} value={inWords(pages)} />
    </dl>
  )
}

const Total = ({ label, value, children }: { label: string; value: string; children?: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <strong>{value}</strong>
      {children && <span className="ui-hint">{children}</span>}
    </dd>
  </div>
)

function comparison(now: number, before: number, days: number): string {
  if (before === 0) return texts.nothingBefore(days)
  return now === before ? texts.sameAsBefore(days) : texts.before(changeInWords(now / before - 1), days)
}

const shownAtOnce = 10

function ByPage({ counts, ...asked }: Asked & { counts: readonly Count[] }) {
  const [most, setMost] = useState(shownAtOnce)
  const siteSpaces = useSiteSpaces(asked)
  const pages = pageTotals(counts)
  const shown = pages.slice(0, most)
  const spaceOf = (id: string | undefined): string | undefined =>
    id === undefined ? undefined : siteSpaces.get(id)?.space.id
  const titles = usePageTitles([...new Set(shown.flatMap(({ siteSpace }) => spaceOf(siteSpace) ?? []))])
  const total = totalOf(counts)
  return (
    <section aria-labelledby="insights-pages">
      <header className="ui-heading">
        <h2 id="insights-pages">{texts.pages}</h2>
      </header>
      <Shares
        label={texts.page}
        total={total}
        rows={shown.map(({ siteSpace, page, count }) => {
          const space = spaceOf(siteSpace)
          const title = page === undefined ? texts.noPage : titles?.get(page)
          const known = siteSpace === undefined ? undefined : siteSpaces.get(siteSpace)
          return {
            key: `${siteSpace} ${page}`,
            count,
            detail: siteSpaces.size > 1 && known ? nameOf(known) : undefined,
            name:
              titles === undefined && page !== undefined ? (
                <span className="ui-quiet">{t.common.loading}</span>
              ) : title !== undefined && space !== undefined && page !== undefined ? (
                <Link className="ui-link" href={paths.page(space, page)}>
                  {title || t.common.untitled}
                </Link>
              ) : (
                <span className="ui-quiet">{title ?? texts.gonePage}</span>
              ),
          }
        })}
      />
      {pages.length > most && (
        <Button kind="quiet" onClick={() => setMost(most + 40)}>
          {t.common.showMore}
        </Button>
      )}
    </section>
  )
}

function BySpace({ counts, ...asked }: Asked & { counts: readonly Count[] }) {
  const siteSpaces = useSiteSpaces(asked)
  const totals = [...totalsBy(counts, ({ siteSpace = '' }) => siteSpace)].sort((a, b) => b[1] - a[1])
  if (totals.length < 2) return null
  return (
    <section aria-labelledby="insights-spaces">
      <header className="ui-heading">
        <h2 id="insights-spaces">{texts.spaces}</h2>
      </header>
      <Shares
        label={texts.space}
        total={totalOf(counts)}
        rows={totals.slice(0, 100).map(([id, count]) => {
          const known = siteSpaces.get(id)
          return { key: id, count, name: id === '' ? texts.noPage : known ? nameOf(known) : texts.goneSpace }
        })}
      />
    </section>
  )
}

interface SharesProps {
  label: string
  total: number
  rows: readonly { key: string; name: ReactNode; detail?: string | undefined; count: number }[]
}

/** Each with its number, and a bar of what part of all that is. */
const Shares = ({ label, total, rows }: SharesProps) => (
  <table className="insights-shares">
    <thead>
      <tr>
        <th scope="col">{label}</th>
        <th scope="col">{texts.number}</th>
        <th scope="col">{texts.share}</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, name, detail, count }) => (
        <tr key={key}>
          <th scope="row">
            {name}
            {detail && <small>{detail}</small>}
            <progress value={count} max={total} aria-hidden="true" />
          </th>
          <td>{inWords(count)}</td>
          <td>{shareInWords(count / total)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** Every count as it is stored, with the names of what it is about. */
function DownloadButton({ counts, range, ...asked }: Asked & { counts: readonly Count[] }) {
  const siteSpaces = useSiteSpaces(asked)
  const prepare = useAction(async () => {
    const known = [...new Set(counts.flatMap(({ siteSpace }) => siteSpace ?? []))]
    const titles = await readPageTitles([...new Set(known.flatMap((id) => siteSpaces.get(id)?.space.id ?? []))])
    const head = [texts.day, texts.kind, texts.space, texts.page, texts.pageId, texts.number]
    const rows = counts.map(({ day, type, siteSpace, page, count }) => {
      const shown = siteSpace === undefined ? undefined : siteSpaces.get(siteSpace)
      return [day, type, shown ? nameOf(shown) : '', titles.get(page ?? '') ?? '', page ?? '', count]
    })
    download(`insights-${range.from}-${range.to}.csv`, csvOf([head, ...rows]))
  })
  return (
    <Button icon={Download} busy={prepare.isPending} onClick={() => prepare.mutate(undefined)}>
      {prepare.isPending ? texts.preparing : texts.download}
    </Button>
  )
}
