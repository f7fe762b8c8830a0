/** Spaces and collections as a tree of links, folded by collection. */
import { BookOpen, Ellipsis, Folder, Users } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '../frame/paths.ts'
import { Menu } from '../kit/menu.tsx'
import { When } from '../kit/when.tsx'
import type { Output } from '../session/client.ts'
import { changesTexts } from '../texts/changes.ts'
import { t } from '../texts/index.ts'
import { emojiOf } from '../tree/page-icon.tsx'

export type Space = Output<'getSpaceById'>
export type Collection = Output<'getCollectionById'>

interface Branch {
  collection: Collection
  spaces: Space[]
  branches: Branch[]
}

export function SpaceTree({ spaces, collections }: { spaces: readonly Space[]; collections: readonly Collection[] }) {
  const { branches, spaces: top } = treeOf(spaces, collections)
  return (
    <ul className="ui-list">
      {top.map((space) => (
        <SpaceRow key={space.id} space={space} />
      ))}
      {branches.map((branch) => (
        <BranchRow key={branch.collection.id} branch={branch} />
      ))}
    </ul>
  )
}

function BranchRow({ branch: { collection, spaces, branches } }: { branch: Branch }) {
  const title = collection.title || t.common.untitled
  return (
    <li className="ui-branch">
      {collection.permissions.admin && (
        <Menu
          label={t.tree.actions(title)}
          button={
            <button type="button" className="ui-icon-button">
              <Ellipsis size={16} strokeWidth={1.75} aria-hidden="true" />
            </button>
          }
          entries={[{ label: t.spaces.people, icon: Users, href: paths.peopleOfCollection(collection.id) }]}
        />
      )}
      <details className="ui-fold" open>
        <summary className="ui-row">
          <Folder size={16} strokeWidth={1.75} aria-hidden="true" />
          <span className="title">{title}</span>
          <span className="meta">{spaces.length + branches.length}</span>
        </summary>
        {spaces.length + branches.length === 0 && <p className="ui-hint inset">{t.spaces.emptyCollection}</p>}
        <ul className="ui-list inset">
          {spaces.map((space) => (
            <SpaceRow key={space.id} space={space} />
          ))}
          {branches.map((branch) => (
            <BranchRow key={branch.collection.id} branch={branch} />
          ))}
        </ul>
      </details>
    </li>
  )
}

function SpaceRow({ space }: { space: Space }) {
  return (
    <li>
      <Link className="ui-row" href={paths.space(space.id)}>
        {space.emoji ? (
          <span className="emoji" aria-hidden="true">
            {emojiOf(space.emoji)}
          </span>
        ) : (
          <BookOpen size={16} strokeWidth={1.75} aria-hidden="true" />
        )}
        <span className="title">{space.title || t.common.untitled}</span>
        {space.changeRequestsOpen > 0 && (
          <span className="ui-state" data-state="open">
            {changesTexts.openCount(space.changeRequestsOpen)}
          </span>
        )}
        <span className="meta">
          <When time={space.updatedAt} />
        </span>
      </Link>
    </li>
  )
}

function treeOf(spaces: readonly Space[], collections: readonly Collection[]): Omit<Branch, 'collection'> {
  const known = new Set(collections.map(({ id }) => id))
  const below = (parent: string | undefined): Omit<Branch, 'collection'> => ({
    spaces: spaces.filter((space) => (known.has(space.parent ?? '') ? space.parent : undefined) === parent),
    branches: collections
      .filter((other) => (known.has(other.parent ?? '') ? other.parent : undefined) === parent)
      .map((collection) => ({ collection, ...below(collection.id) })),
  })
  return below(undefined)
}
