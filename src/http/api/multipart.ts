/**
 * The files of a multipart/form-data body, one after the other while the body arrives.
 *
 * 1. Nothing is held but what is under way: the parser stops reading the socket while nobody reads the file.
 * 2. Everything has a limit: files, fields, headers, what is neither, and the time in which nothing comes.
 * 3. The last file is followed by an error unless the closing boundary came: half an upload never looks like a whole one.
 * 4. The socket is never closed from here: whoever answers decides what happens to a body that was not read.
 *
 * The operations that take files take nothing else: form fields are skipped.
 */
import { finished, type Readable } from 'node:stream'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import type { UploadedFile } from '../../contract/operation.ts'
import { type ApiError, fail } from '../../core/errors.ts'

export const maxFiles = 20
const maxFields = 100
const maxFieldBytes = 1024 * 1024
/** Headers, boundaries, fields and whatever stands around them, all together. */
export const maxRestBytes = 4 * 1024 * 1024
/** A sender that is silent for longer has gone. */
const silenceMilliseconds = 30_000

export async function* filesOf(source: Readable, contentType: string): AsyncGenerator<UploadedFile> {
  const form = new Form(source, contentType)
  try {
    for (;;) {
      const file = await form.next()
      if (!file) return
      yield file
    }
  } finally {
    form.close()
  }
}

class Form {
  readonly #source: Readable
  readonly #parser: BusboyInstance
  readonly #waiting: UploadedFile[] = []
  readonly #streams: BusboyFileStream[] = []
  readonly #silence: NodeJS.Timeout
  #received = 0
  #failure: ApiError | undefined
  #isEnded = false
  #wake = () => {}

  constructor(source: Readable, contentType: string) {
    this.#source = source
    this.#parser = parserFor(contentType)
    this.#parser
      .on('file', (_field, stream, name, _encoding, type) => this.#arrive(stream, name, type))
      .on('field', (_field, _value, _cutName, isCut) => {
        if (isCut) this.#fail(fail('too_large', 'A form field is larger than 1 MiB.'))
      })
      .on('filesLimit', () => this.#fail(fail('invalid_input', `A request holds at most ${maxFiles} files.`)))
      .on('fieldsLimit', () => this.#fail(fail('invalid_input', `A request holds at most ${maxFields} form fields.`)))
      .on('partsLimit', () => this.#fail(fail('invalid_input', 'The form has too many parts.')))
      .on('error', () => this.#fail(unfinished()))
      .on('finish', () => this.#end())
    source.on('data', this.#count)
    // A socket that closes before the end of the body: the sender has gone.
    finished(source, { writable: false }, (error) => {
      if (error) this.#fail(unfinished())
    })
    this.#silence = setTimeout(this.#onSilence, silenceMilliseconds)
    source.pipe(this.#parser)
  }

  async next(): Promise<UploadedFile | undefined> {
    for (;;) {
      if (this.#failure) throw this.#failure
      const file = this.#waiting.shift()
      if (file) return file
      if (this.#isEnded) return undefined
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    clearTimeout(this.#silence)
    this.#source.off('data', this.#count)
    this.#source.unpipe(this.#parser)
    // What may follow the closing boundary means nothing.
    if (this.#isEnded && !this.#failure) this.#source.resume()
    this.#isEnded = true
    for (const stream of this.#streams) stream.destroy()
    this.#parser.destroy()
  }

  #arrive(stream: BusboyFileStream, name: string | undefined, type: string): void {
    // Whoever reads the stream hears of its error; one that nobody reads any more must not end the process.
    stream.on('error', () => {})
    this.#streams.push(stream)
    this.#waiting.push({ name: name ?? '', contentType: type, bytes: stream })
    this.#wake()
  }

  #end(): void {
    clearTimeout(this.#silence)
    this.#isEnded = true
    this.#wake()
  }

  /** The file that is being read breaks off with the same error. */
  #fail(failure: ApiError): void {
    if (this.#isEnded || this.#failure) return
    this.#failure = failure
    clearTimeout(this.#silence)
    this.#source.unpipe(this.#parser)
    for (const stream of this.#streams) stream.destroy(failure)
    this.#wake()
  }

  readonly #count = (chunk: Buffer): void => {
    this.#silence.refresh()
    this.#received += chunk.length
    const rest = this.#streams.reduce((left, stream) => left - stream.bytesRead, this.#received)
    if (rest > maxRestBytes) this.#fail(fail('too_large', 'The form holds more than 4 MiB beside its files.'))
  }

  readonly #onSilence = (): void => {
    // While the store is slow we do not read, so nothing can come.
    if (this.#parser.writableNeedDrain || this.#source.isPaused()) this.#silence.refresh()
    else this.#fail(fail('invalid_input', 'Nothing more of the upload came for 30 seconds.'))
  }
}

function parserFor(contentType: string): BusboyInstance {
  // An empty boundary would be found everywhere; one of more than 70 characters is none.
  if (!/;\s*boundary=(?:"[^"]{1,70}"|[^\s";,]{1,70})\s*(?:;|$)/i.test(contentType)) throw badBoundary()
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: maxFiles,
        fields: maxFields,
        fieldSize: maxFieldBytes,
        parts: maxFiles + maxFields + 1,
        headerPairs: 32,
        headerSize: 16 * 1024,
      },
    })
  } catch {
    throw badBoundary()
  }
}

const badBoundary = () =>
  fail('invalid_input', 'The Content-Type needs the boundary of the form: `multipart/form-data; boundary=…`.')

const unfinished = () =>
  fail('invalid_input', 'The form is not complete: it ends before its closing boundary, or has another boundary.')
