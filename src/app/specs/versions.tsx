/** The versions of a spec, the latest first, each to be saved as a file. */
import { Download, FileJson } from 'lucide-react'
import { IconButton } from '../kit/button.tsx'
import { Loaded } from '../kit/empty.tsx'
import { MoreButton } from '../kit/lists/more-button.tsx'
import { When } from '../kit/when.tsx'
import { call, useAction } from '../session/client.ts'
import { useLongList } from '../session/long-list.ts'
import { specTexts as words } from '../texts/specs.ts'
import type { Spec } from './state.tsx'

export function Versions({ spec, organizationId }: { spec: Spec; organizationId: string }) {
  const input = { organizationId, specSlug: spec.slug }
  const versions = useLongList('listOpenAPISpecVersions', { ...input, query: { limit: 20 } })
  const save = useAction((versionId: string) => saveSpec({ ...input, versionId }))
  return (
    <section aria-labelledby="versions">
      <header className="ui-heading">
        <h2 id="versions">{words.versions}</h2>
      </header>
      <Loaded query={versions} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="ui-quiet">{words.noVersions}</p>
          ) : (
            <>
              <ul className="ui-list">
                {items.map(({ id, createdAt, url }) => (
                  <li key={id} className="ui-row">
                    <FileJson size={16} strokeWidth={1.75} aria-hidden="true" />
                    <span className="title">
                      {createdAt ? <When time={createdAt} /> : id}
                      <small>
                        {id === spec.lastVersion ? words.latest : ''}
                        {url === spec.sourceURL || spec.sourceURL === undefined ? '' : ` ${url}`}
                      </small>
                    </span>
                    <IconButton label={words.download} icon={Download} onClick={() => save.mutate(id)} />
                  </li>
                ))}
              </ul>
              <MoreButton list={versions} />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** Puts the document into the folder of downloads; the latest without a version. */
export async function saveSpec({
  versionId,
  ...input
}: {
  organizationId: string
  specSlug: string
  versionId?: string
}): Promise<void> {
  const document =
    versionId === undefined
      ? await call('getLatestOpenAPISpecVersionContentRaw', input)
      : // The first is the one that the others are referred to from.
        Object.values((await call('getOpenAPISpecVersionContentById', { ...input, versionId })).filesystem)[0]
  const address = URL.createObjectURL(new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' }))
  const link = window.document.createElement('a')
  link.href = address
  link.download = `${input.specSlug}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
