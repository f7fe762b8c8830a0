/** The way to the next page of a long list, and how much of it is there. */
import type { LongList } from '../../session/long-list.ts'
import { t } from '../../texts/index.ts'
import { Button } from '../button.tsx'

export function MoreButton({ list }: { list: LongList<unknown> }) {
  if (!list.data || !list.hasMore) return null
  return (
    <div className="ui-more">
      <Button busy={list.isLoadingMore} onClick={list.loadMore}>
        {t.common.showMore}
      </Button>
      <span className="ui-hint">
        {list.data.items.length} / {list.data.count}
      </span>
    </div>
  )
}
