/** All OpenAPI specs of the organization, and the way to add one. */
import { Braces, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { Frame, Top } from '../frame/frame.tsx'
import { paths } from '../frame/paths.ts'
import { HomeSide } from '../home/home-side.tsx'
import { Button } from '../kit/button.tsx'
import { Empty, Loaded } from '../kit/empty.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { When } from '../kit/when.tsx'
import { useLongList } from '../session/long-list.ts'
import { useOrganization } from '../session/session.tsx'
import { specTexts as words } from '../texts/specs.ts'
import { NewSpecDialog } from './source-dialogs.tsx'
import { isBeingRead, type Spec, SpecState } from './state.tsx'

export default function SpecsScreen() {
  const { id: organizationId, permissions } = useOrganization()
  const [asking, setAsking] = useState(false)
  const specs = useLongList(
    'listOpenAPISpecs',
    { organizationId },
    { enabled: permissions.listMembers, again: (items) => (items.some(isBeingRead) ? 2_000 : false) },
  )
  // Whoever reads the list of members reads this one; guests do not.
  if (!permissions.listMembers) return <Redirect to={paths.home} replace />
  const button = permissions.createOpenAPISpec && (
    <Button kind="primary" icon={Plus} onClick={() => setAsking(true)}>
      {words.new}
    </Button>
  )
  return (
    <Frame side={<HomeSide />}>
      <Top title={words.title}>{button}</Top>
      <h1 className="sr">{words.title}</h1>
      <Loaded query={specs}>
        {({ items, count }) =>
          items.length === 0 ? (
            <Empty
              icon={Braces}
              title={words.empty}
              text={permissions.createOpenAPISpec ? words.emptyText : words.emptyReader}
            >
              {button}
            </Empty>
          ) : (
            <>
              <p className="ui-quiet">{words.all(count)}</p>
              <ul className="ui-list">
                {items.map((spec) => (
                  <SpecRow key={spec.id} spec={spec} href={paths.spec(organizationId, spec.slug)} />
                ))}
              </ul>
              <MoreButton list={specs} />
            </>
          )
        }
      </Loaded>
      <NewSpecDialog open={asking} onClose={() => setAsking(false)} organizationId={organizationId} />
    </Frame>
  )
}

const SpecRow = ({ spec, href }: { spec: Spec; href: string }) => (
  <li>
    <Link className="ui-row" href={href}>
      <Braces size={16} strokeWidth={1.75} aria-hidden="true" />
      <span className="title">
        {spec.slug}
        <small>{spec.sourceURL?.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '') ?? words.fromText}</small>
      </span>
      <SpecState spec={spec} />
      {spec.lastProcessedAt && (
        <span className="meta ui-wide-only">
          <When time={spec.lastProcessedAt} />
        </span>
      )}
    </Link>
  </li>
)
