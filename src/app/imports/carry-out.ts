/** What the form asks for, done: a space or change request is made where one is wanted, and the import into it is started. */
import { paths } from '../frame/paths.ts'
import { call, type Output } from '../session/client.ts'
import { importTexts as words } from '../texts/imports.ts'
import { nameOfFiles } from './file-field.tsx'
import type { UploadSource } from './sources.ts'
import { importFromAddress, importFromDevice, type Target } from './start-import.ts'
import type { Destination } from './target-fields.tsx'
import { type PathedFile, zipFiles } from './zip-files.ts'

interface Wanted {
  organizationId: string
  origin: 'device' | 'website' | 'address' | 'git'
  files: readonly PathedFile[]
  type: UploadSource
  url: string
  isKept: boolean
  isStrict: boolean
  into: Destination
  request: Output<'getChangeRequestById'> | undefined
  /** What an earlier attempt has made. */
  made: { current: { for: string; target: Target } | undefined }
  signal: AbortSignal
  onWork: (is: 'packing' | 'sending', part: number) => void
}

/** Answers with the address at which it goes on. */
export async function carryOut(wanted: Wanted): Promise<string> {
  const { organizationId, origin, files, type, url, isKept, isStrict, signal, onWork } = wanted
  const isSeveral = files.length > 1 || files[0]?.path.includes('/') === true
  const name = origin === 'device' ? nameOfFiles(files) : url.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '')
  const prepare = async (): Promise<File | undefined> => {
    if (origin !== 'device') return undefined
    if (!isSeveral) return files[0]?.file
    onWork('packing', 0)
    return zipFiles(files, `${isFolder(files) ? name : 'files'}.zip`)
  }
  const file = await prepare()
  signal.throwIfAborted()
  const target = await targetOf(wanted, name)
  if (origin === 'git') return paths.git(target.space)
  if (origin !== 'device') {
    const from = { organizationId, target, type: origin === 'website' ? ('website' as const) : type, url }
    return paths.importRun(organizationId, await importFromAddress(from))
  }
  if (!file) throw new TypeError('There is no file to send.')
  onWork('sending', 0)
  const run = await importFromDevice({
    organizationId,
    target,
    type,
    file,
    // Loose files have no name in common: others that come later do not take their place.
    keep: isKept || (isSeveral && !isFolder(files)),
    strict: isStrict,
    signal,
    onProgress: (part) => onWork('sending', part),
  })
  return paths.importRun(organizationId, run)
}

const isFolder = (files: readonly PathedFile[]): boolean => files.every(({ path }) => path.includes('/'))

async function targetOf({ organizationId, origin, into, request, made }: Wanted, name: string): Promise<Target> {
  if (request) return { space: request.space, changeRequest: request.id }
  const isRequest = into.space !== '' && into.how === 'request' && origin !== 'git'
  const key = JSON.stringify([into.space, into.space === '' ? into.title.trim() : isRequest])
  if (made.current?.for === key) return made.current.target
  let target: Target = { space: into.space }
  if (into.space === '') {
    const body = { title: into.title.trim(), editMode: 'live' as const, empty: true }
    target = { space: (await call('createSpace', { organizationId, body })).id }
  } else if (isRequest) {
    const body = { subject: words.subject(name).slice(0, 100) }
    target = { ...target, changeRequest: (await call('createChangeRequest', { spaceId: into.space, body })).id }
  }
  made.current = { for: key, target }
  return target
}
