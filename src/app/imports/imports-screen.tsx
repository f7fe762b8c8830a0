/** What was brought in: each run, how it went, and where it went. */
import { FileInput, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { ButtonLink } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { When } from '../kit/when.tsx'
import { useCall } from '../session/client.ts'
import { useLongList } from '../session/long-list.ts'
import { useOrganization } from '../session/session.tsx'
import { importTexts as words } from '../texts/imports.ts'
import { isUnderWay, nameOfRun, type Run } from './sources.ts'

export default function ImportsScreen() {
  const { id: organizationId } = useOrganization()
  const runs = useLongList(
    'listImportRuns',
    { organizationId },
    { again: (items) => (items.some(isUnderWay) ? 2_000 : false) },
  )
  const spaces = useCall('listSpacesInOrganizationById', { organizationId, query: { limit: 1000 } })
  const titles = new Map(spaces.data?.items.map(({ id, title }) => [id, title]))
  const button = (
    <ButtonLink kind="primary" icon={Plus} href={paths.newImport(organizationId)}>
      {words.new}
    </ButtonLink>
  )
  return (
    <Frame side={<HomeSide />}>
      <Top title={words.title}>{button}</Top>
      <h1 className="sr">{words.title}</h1>
      <Loaded query={runs}>
        {({ items, count }) =>
          items.length === 0 ? (
            <Empty icon={FileInput} title={words.empty} text={words.emptyText}>
              {button}
            </Empty>
          ) : (
            <>
              <p className="ui-quiet">{words.all(count)}</p>
              <ul className="ui-list">
                {items.map((run) => (
                  <RunRow
                    key={run.id}
                    run={run}
                    title={spaces.data ? (titles.get(run.target.space) ?? words.goneSpace) : ''}
                    href={paths.importRun(organizationId, run.id)}
                  />
                ))}
              </ul>
              <MoreButton list={runs} />
            </>
          )
        }
      </Loaded>
    </Frame>
  )
}

const RunRow = ({ run, title, href }: { run: Run; title: string; href: string }) => (
  <li>
    <Link className="ui-row" href={href}>
      <FileInput size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="title">
        {nameOfRun(run)}
        <small>{words.into(title)}</small>
      </span>
      <RunState status={run.status} />
      <span className="meta ui-wide-only">
        <When time={run.createdAt} />
      </span>
    </Link>
  </li>
)

const dots: Record<Run['status'], string> = {
  pending: 'draft',
  'in-progress': 'busy',
  completed: 'live',
  failed: 'bad',
  cancelled: 'off',
}

export const RunState = ({ status }: { status: Run['status'] }) => (
  <span className="ui-state" data-state={dots[status]}>
    {words.states[status]}
  </span>
)
