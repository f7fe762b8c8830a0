/** Every kind of job, by the name under which it is written. */
import type { JobKinds } from './kinds.ts'
import { purge } from './purge.ts'

export const jobKinds: JobKinds = { purge }
