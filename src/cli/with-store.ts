/** Runs a command with the store open, and closes it whatever happens. */
import { type Opened, open } from '../open.ts'
import { type Config, readConfig } from '../platform/config.ts'

export async function withStore<T>(work: (opened: Opened & { config: Config }) => Promise<T>): Promise<T> {
  const config = readConfig(process.env)
  const opened = await open(config)
  try {
    return await work({ ...opened, config })
  } finally {
    await opened.db.close()
  }
}
