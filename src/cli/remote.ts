/** Commands against a server: which one, as whom, and a folder on its way there. */
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import yazl from 'yazl'
import { CallFailed, type Client, makeClient } from '../client/client.ts'
import { httpTransport } from '../client/http.ts'
import { listFolder, nameOfFolder } from './folder.ts'
import { CommandError } from './plain-errors.ts'

export const remoteArgs = {
  url: { type: 'string', description: 'Address of the server (LECTERN_URL).' },
  token: { type: 'string', description: 'API token, with which the server is asked (LECTERN_TOKEN).' },
} as const

export interface Remote {
  url: string
  client: Client
}

/** The server that a command names; undefined without a token, when it means the database of this machine. */
export function findRemote(args: { url?: string | undefined; token?: string | undefined }): Remote | undefined {
  const token = args.token ?? process.env.LECTERN_TOKEN
  const url = args.url ?? process.env.LECTERN_URL
  if (!token) {
    if (args.url === undefined) return undefined
    throw new CommandError('--url asks for a token, too: --token, or LECTERN_TOKEN.')
  }
  if (!url) throw new CommandError('A token asks for the address of its server, too: --url, or LECTERN_URL.')
  if (!/^https?:\/\/[^/\s]+/.test(url)) throw new CommandError(`${url} is not an http or https address.`)
  return { url, client: makeClient(httpTransport({ url, token, timeout: 10 * 60_000 })) }
}

/** An address that the server gave out, where this command reaches it: its own name for itself may be another. */
export function addressAt({ url }: Pick<Remote, 'url'>, given: string): string {
  const [path = ''] = /\/exports\/[^/]+\/[^/]+$/.exec(given) ?? []
  return `${url.replace(/\/+$/, '')}${path}`
}

/** What the server refuses is said in its own words. */
export async function asked<Of>({ url }: Pick<Remote, 'url'>, answer: Promise<Of>): Promise<Of> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CallFailed) throw new CommandError(error.message)
    if (error instanceof TypeError) throw new CommandError(`${url} cannot be reached.`)
    throw error
  }
}

/** Zips a folder beside, hands it over as a form, and forgets it. What it is called says what comes again. */
export async function withArchive<Of>(folder: string, work: (form: FormData) => Promise<Of>): Promise<Of> {
  const files = await listFolder(folder)
  if (!files.some(({ path }) => /\.(md|mdx|markdown)$/i.test(path)))
    throw new CommandError(`There is no Markdown in ${folder}.`)
  const unfit = files.find(({ path }) => /^[a-z]:|\\/i.test(path))
  if (unfit) throw new CommandError(`${unfit.path} has a name that no zip archive can hold. Rename it.`)
  const temporary = await mkdtemp(join(tmpdir(), 'lectern-archive-'))
  try {
    const archive = new yazl.ZipFile()
    for (const { path, open } of files)
      archive.addReadStreamLazy(path, (done: (error: unknown, stream: Readable) => void) =>
        done(null, Readable.from(open())),
      )
    archive.end()
    const file = join(temporary, 'docs.zip')
    await pipeline(Readable.from(archive.outputStream), createWriteStream(file))
    const form = new FormData()
    form.append('files', await openAsBlob(file, { type: 'application/zip' }), `${nameOfFolder(folder)}.zip`)
    return await work(form)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}
