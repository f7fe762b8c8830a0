/** Sends files and tells how far it is: `fetch` does not say how much of a request has left. */
import { CallFailed } from '../../client/client.ts'
import { ownHeaders } from './person.ts'

interface Upload {
  url: string
  files: readonly File[]
  /** From 0 to 1. */
  onProgress?: ((part: number) => void) | undefined
}

/** Where the files of a space or of a change request go. */
export const filesPath = (space: string, changeRequest?: string): string =>
  `/v1/spaces/${encodeURIComponent(space)}${
    changeRequest === undefined ? '' : `/change-requests/${encodeURIComponent(changeRequest)}`
  }/content/files`

export interface StoredFile {
  id: string
  name: string
}

export async function sendFiles({ url, files, onProgress }: Upload): Promise<StoredFile[]> {
  const body = new FormData()
  for (const file of files) body.append('file', file, file.name)
  const { response } = await sendForm({ url, body, onProgress })
  return response?.files ?? []
}

interface Form extends Pick<Upload, 'url' | 'onProgress'> {
  body: FormData
  signal?: AbortSignal | undefined
}

/** Answers with the request when it has succeeded. */
export function sendForm({ url, body, onProgress, signal }: Form): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.responseType = 'json'
    for (const [name, value] of Object.entries(ownHeaders)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total, lengthComputable }) => {
      if (lengthComputable) onProgress?.(loaded / total)
    })
    request.addEventListener('load', () => {
      const { status, response } = request
      if (status < 300) resolve(request)
      else
        reject(
          new CallFailed({
            ...response?.error,
            status,
            type: response?.error?.type ?? 'internal_error',
            message: response?.error?.message ?? '',
          }),
        )
    })
    const lost = () => reject(signal?.aborted ? signal.reason : new TypeError('The server cannot be reached.'))
    request.addEventListener('error', lost)
    request.addEventListener('abort', lost)
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}
