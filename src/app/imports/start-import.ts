/**
 * Starts an import and answers with its run, which goes on by itself. What is sent along is answered only when its run has
 * ended, so that the run is looked for meanwhile.
 */
import { call, server } from '../session/client.ts'
import { sendForm } from '../session/upload.ts'
import type { Run, Source, UploadSource } from './sources.ts'

export interface Target {
  space: string
  /** The id of a change request. */
  changeRequest?: string | undefined
}

interface FromAddress {
  organizationId: string
  target: Target
  type: Source
  url: string
}

export async function importFromAddress({ organizationId, target, type, url }: FromAddress): Promise<string> {
  const { id } = await call('startImportRun', { organizationId, body: { source: { type, url }, target } })
  return id
}

interface FromDevice {
  organizationId: string
  target: Target
  type: UploadSource
  file: File
  /** What came from the same place before and is not there any more stays. */
  keep: boolean
  strict: boolean
  /** From 0 to 1. */
  onProgress: (part: number) => void
  signal: AbortSignal
}

const pauseMilliseconds = 700

export async function importFromDevice(given: FromDevice): Promise<string> {
  const { organizationId, target, type, file, keep, strict, onProgress, signal } = given
  const before = new Set((await listRuns(organizationId)).map(({ id }) => id))
  const findRun = async (): Promise<string | undefined> =>
    (await listRuns(organizationId)).find((run) => !before.has(run.id) && isFor(run, target))?.id
  const query = new URLSearchParams({ source: type, remove: keep ? 'none' : 'own', strict: String(strict) })
  const body = new FormData()
  body.append('files', file, file.name)
  let isSent = false
  let isOver = false
  const note = (part: number): void => {
    onProgress(part)
    isSent = part === 1
  }
  const answered = sendForm({ url: `${uploadPath(target)}?${query}`, body, onProgress: note, signal }).then(
    (request) => request.getResponseHeader('location')?.split('/').pop() ?? findRun(),
    // What stopped a run is told where the run is shown.
    async (error: unknown) => {
      const run = signal.aborted ? undefined : await findRun().catch(() => undefined)
      if (run === undefined) throw error
      return run
    },
  )
  const found = new Promise<string>((resolve) => {
    const search = async (): Promise<void> => {
      const run = isSent ? await findRun().catch(() => undefined) : undefined
      if (run !== undefined) resolve(run)
      else if (!isOver) setTimeout(search, pauseMilliseconds)
    }
    setTimeout(search, pauseMilliseconds)
  })
  try {
    const run = await Promise.race([answered, found])
    if (run === undefined) throw new TypeError('The run of the import cannot be found.')
    return run
  } finally {
    isOver = true
  }
}

const listRuns = async (organizationId: string): Promise<Run[]> =>
  (await call('listImportRuns', { organizationId, query: { limit: 50 } })).items

const isFor = ({ source, target }: Run, { space, changeRequest }: Target): boolean =>
  source.url.startsWith('upload:') && target.space === space && target.changeRequest === changeRequest

const uploadPath = ({ space, changeRequest }: Target): string =>
  `${server.url}/v1/spaces/${encodeURIComponent(space)}${
    changeRequest === undefined ? '' : `/change-requests/${encodeURIComponent(changeRequest)}`
  }/content/import/upload`
