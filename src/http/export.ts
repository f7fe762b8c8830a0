/**
 * `/exports/{token}/{name}`: a content as a zip archive of Markdown and files, for whoever holds an address that the API
 * gave out. It is made while it is sent, a file at a time, and waits for a reader who is slow.
 */
import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import yazl from 'yazl'
import type { Export } from '../domain/repository/export.ts'
import { openExport } from '../domain/repository/handlers.ts'
import type { Log } from '../platform/log.ts'
import { TimeSlices } from '../store/time-slices.ts'
import type { Parts } from './api/dispatch.ts'
import { dispositionOf } from './disposition.ts'

export function addExports(app: FastifyInstance, { db, env, clock, log }: Parts & { log: Log }): void {
  app.get<{ Params: { token: string; name: string } }>('/exports/:token/:name', async (request, reply) => {
    const { token, name } = request.params
    const exported = await openExport({ db, env, now: clock() }, token)
    return reply
      .header('content-type', 'application/zip')
      .header('content-disposition', dispositionOf(name, { inline: false }))
      .header('referrer-policy', 'no-referrer')
      .header('x-robots-tag', 'noindex')
      .header('cache-control', 'private, no-store')
      .send(archiveOf(exported, (error) => log.warn({ err: error }, 'an export broke off')))
  })
}

/** The same bytes for the same content: entries have no times of their own. */
export function archiveOf({ files }: Pick<Export, 'files'>, onError: (error: unknown) => void): PassThrough {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream
  if (!(output instanceof PassThrough)) throw new Error('An archive gives its bytes by a stream that can wait.')
  const stop = (error: unknown): void => {
    onError(error)
    output.destroy(error instanceof Error ? error : new Error(String(error)))
  }
  zip.on('error', stop)
  // Whoever sends it tells of errors; one that comes before is no reason to end the process.
  output.on('error', () => {})
  fill(zip, output, files).catch(stop)
  return output
}

async function fill(zip: yazl.ZipFile, output: PassThrough, files: Export['files']): Promise<void> {
  // Not `once`, which would reject with the error that ends the stream, and nobody may be waiting then.
  const gone = new Promise<void>((resolve) => output.once('close', resolve))
  const slices = new TimeSlices()
  for await (const { path, content } of files) {
    if (output.writableNeedDrain) await Promise.race([once(output, 'drain'), gone])
    if (output.destroyed) return
    const options = { mtime: epoch, mode: 0o100644 }
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), path, options)
    else {
      const bytes = Readable.from(content)
      zip.addReadStream(bytes, path, options)
      await Promise.race([once(bytes, 'close'), gone])
      // Closes the file that a reader who went away left half-read.
      bytes.destroy()
    }
    await slices.next()
  }
  zip.end()
}

const epoch = new Date(1980, 0, 1)
