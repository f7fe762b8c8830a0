/** Forms with files, for the operations that take them: made by the platform, or byte by byte where the form itself is wrong. */

export interface FormFile {
  name: string
  type?: string
  bytes: Uint8Array | string
}

export function formOf(...files: FormFile[]): FormData {
  const form = new FormData()
  for (const { name, type = '', bytes } of files) form.append('files', new Blob([bytes], { type }), name)
  return form
}

export const boundary = '----lectern-test-boundary'
export const formType = `multipart/form-data; boundary=${boundary}`

/** One part as it goes over the wire. `headers` replaces what would stand there. */
export const part = ({
  name,
  type = 'application/octet-stream',
  bytes,
  headers,
}: FormFile & { headers?: string }): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\n${headers ?? `Content-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: ${type}`}\r\n\r\n`,
    ),
    Buffer.from(bytes as string),
    Buffer.from('\r\n'),
  ])

export const formEnd = Buffer.from(`--${boundary}--\r\n`)
export const rawForm = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, formEnd])
