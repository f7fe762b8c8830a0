/** Publishes the guide that ships with the package, where the first start asked for it. */
import { sampleUrl } from '../domain/sample-note.ts'
import type { Opened } from '../open.ts'
import { packageFile } from '../platform/assets.ts'
import type { Log } from '../platform/log.ts'

type Parts = Pick<Opened, 'db' | 'env'> & { log: Log; tell: (line: string) => unknown }

/** In the background: whatever goes wrong with it, the server serves. The next start tries again. */
export async function publishSample({ db, env, log, tell }: Parts): Promise<void> {
  try {
    const [{ makeSample }, { listFolder }] = await Promise.all([import('../domain/sample.ts'), import('./folder.ts')])
    if (!(await makeSample({ db, env }, () => listFolder(packageFile('docs/guide'))))) return
    log.info('published the guide')
    const url = await sampleUrl({ db, env }, { only: 'there' })
    if (url !== undefined) tell(`    Sample site    ${url}\n`)
  } catch (error) {
    log.warn({ error }, 'the guide could not be published')
  }
}
