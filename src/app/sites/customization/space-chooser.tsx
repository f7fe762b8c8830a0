/** Whether one works on the look of the whole site or of one space of it, and what that space has of its own. */
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/field.tsx'
import { showDone } from '../../kit/toast.tsx'
import { call, refresh, useAction, useCall } from '../../session/client.ts'
import { customizationTexts } from '../../texts/customization.ts'
import { t } from '../../texts/index.ts'
import { changedSettings } from './settings.ts'
import { readCustomization, type Target, writeCustomization } from './target.ts'

const texts = customizationTexts.whole
const parts: Readonly<Record<string, string>> = customizationTexts.parts

interface SpaceChooserProps {
  target: Target
  chosen: string
  onChoose: (siteSpaceId: string) => void
}

/** Only where there is more than one space to choose from. */
export function SpaceChooser({ target, chosen, onChoose }: SpaceChooserProps) {
  const { organizationId, siteId } = target
  const shown = useCall('listSiteSpaces', { organizationId, siteId, query: { limit: 1000 } }, { staleTime: 60_000 })
  const spaces = shown.data?.items ?? []
  if (spaces.length < 2 && chosen === '') return null
  return (
    <Select
      label={texts.label}
      value={chosen}
      onChange={({ target: { value } }) => onChoose(value)}
      options={[
        { value: '', label: texts.site },
        ...spaces.map(({ id, title, space, path }) => ({
          value: id,
          // Two spaces may be called the same.
          label:
            spaces.filter((other) => other.title === title).length > 1
              ? `${title || space.title} (${path})`
              : title || space.title,
        })),
      ]}
    />
  )
}

/** What of a space differs from the site, and the way back to looking like it. */
export function SpaceDifferences({ target, onAsSite }: { target: Target; onAsSite: () => void }) {
  const { organizationId, siteId, siteSpaceId = '' } = target
  const input = { organizationId, siteId, siteSpaceId }
  const both = useQuery({
    queryKey: ['getSiteSpaceCustomizationById', input, 'differences'],
    queryFn: () => Promise.all([readCustomization({ organizationId, siteId }), readCustomization(target)]),
  })
  const asSite = useAction(() => call('deleteSiteSpaceCustomizationById', input), {
    onDone: () => {
      const before = both.data
      onAsSite()
      void refresh('getSiteSpaceCustomizationById')
      showDone(texts.isAsSite, before && { label: t.common.undo, run: () => void putBack(before) })
    },
  })
  if (!both.data) return null
  const [ofSite, ofSpace] = both.data
  const changed = changedSettings(ofSite.customization, ofSpace.customization)
  const names = [...new Set(changed.map((path) => path.split('.')[0] ?? ''))]
  const putBack = async ([{ customization: site }, { customization }]: NonNullable<
    typeof both.data
  >): Promise<void> => {
    await writeCustomization(target, { changed: changedSettings(site, customization), customization, etag: undefined })
    onAsSite()
    await refresh('getSiteSpaceCustomizationById')
  }
  return (
    <div className="customization-differences">
      <p>
        {names.length === 0 ? texts.isSame : texts.isDifferent(names.map((name) => parts[name] ?? name).join(', '))}
      </p>
      {names.length > 0 && (
        <Button busy={asSite.isPending} onClick={() => asSite.mutate(undefined)}>
          {texts.asSite}
        </Button>
      )}
    </div>
  )
}
