/** Every kind of job, by the name under which it is written. */

import { specSearchKind } from '../domain/openapi/search.ts'
import { refusedSignInKind } from '../domain/sessions/notes.ts'
import { renderAheadKind } from '../domain/sites/render-ahead.ts'
import { git } from './git/job.ts'
import { importJob } from './import/job.ts'
import { index } from './index-space.ts'
import type { JobKinds } from './kinds.ts'
import { letter } from './letter.ts'
import { openapi } from './openapi/job.ts'
import { specSearch } from './openapi/search.ts'
import { pack } from './pack.ts'
import { print } from './print.ts'
import { purge } from './purge.ts'
import { rebuild } from './rebuild.ts'
import { refusedSignIn } from './refused-sign-in.ts'
import { renderAhead } from './render-ahead/job.ts'
import { sweep } from './sweep.ts'
import { translation } from './translation/job.ts'
import { pruneTranslations } from './translation/prune.ts'

export const jobKinds: JobKinds = {
  index,
  letter,
  purge,
  rebuild,
  sweep,
  openapi,
  [specSearchKind]: specSearch,
  pack,
  print,
  translation,
  import: importJob,
  git,
  'prune-translations': pruneTranslations,
  [refusedSignInKind]: refusedSignIn,
  [renderAheadKind]: renderAhead,
}
