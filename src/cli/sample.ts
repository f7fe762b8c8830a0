/** Publishes the guide that ships with the package, where the first start asked for it. */
import type { Opened } from '../open.ts'
import { packageFile } from '../platform/assets.ts'
import type { Log } from '../platform/log.ts'

/** In the background: whatever goes wrong with it, the server serves. The next start tries again. */
export async function publishSample({ db, env, log }: Pick<Opened, 'db' | 'env'> & { log: Log }): Promise<void> {
  try {
    const [{ makeSample }, { listFolder }] = await Promise.all([import('../domain/sample.ts'), import('./folder.ts')])
    if (await makeSample({ db, env }, () => listFolder(packageFile('docs/guide')))) log.info('published the guide')
  } catch (error) {
    log.warn({ error }, 'the guide could not be published')
  }
}
