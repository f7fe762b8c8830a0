/** The way to the rest of a long list. */
import type { Listed } from '../session/listing.ts'
import { t } from '../texts/index.ts'
import { Button } from './button.tsx'

export const ShowMore = ({ of: { more, isAskingForMore } }: { of: Listed<unknown> }) =>
  more ? (
    <div className="ui-request-actions">
      <Button kind="quiet" busy={isAskingForMore} onClick={more}>
        {t.common.showMore}
      </Button>
    </div>
  ) : null
