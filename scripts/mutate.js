// Takes one line out of the sources at a time that an invariant of ARCHITECTURE.md rests on, runs the tests that should notice,
// and expects them to fail. `node scripts/mutate.js` runs all, `node scripts/mutate.js NAME …` some, `--list` only checks that
// every line is still where it was. The sources are put back whatever happens; run it in a clean worktree.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const mutations = [
  {
    name: 'head-compare-and-set',
    file: 'src/store/content/revisions.ts',
    from: /\.where\('revisionId', '=', (p\.)?from\)/,
    to: '',
    test: 'test/store/compare-and-set.test.ts',
  },
  {
    name: 'change-request-compare-and-set',
    file: 'src/store/content/change-requests.ts',
    from: ".where('revisionId', '=', from)",
    to: '',
    test: 'test/store/compare-and-set.test.ts',
  },
  {
    name: 'sync-at-commit',
    file: 'src/store/engines/sqlite.ts',
    from: "PRAGMA synchronous = FULL'",
    to: "PRAGMA synchronous = OFF'",
    test: 'test/store/durable.test.ts',
  },
  {
    name: 'sync-of-files',
    file: 'src/platform/blobs.ts',
    from: '    await file.sync()\n',
    to: '',
    test: 'test/store/durable.test.ts',
  },
  {
    name: 'outcome-unknown',
    file: 'src/store/engines/postgres.ts',
    from: "throw lost && isCommitSent ? fail('outcome_unknown') : translate(error)",
    to: 'throw translate(error)',
    test: 'test/store/lost-connection.test.ts',
  },
  {
    name: 'broken-connection',
    file: 'src/store/engines/postgres-pool.ts',
    from: "this.#pool.on('connect', (client) => client.on('error', () => {}))",
    to: '',
    test: 'test/faults/database-away.test.ts',
  },
  {
    name: 'rebuild-forgets-links',
    file: 'src/jobs/rebuild.ts',
    from: '  await forgetSpaceLinks(tx, { spaceId: id })\n',
    to: '',
    test: 'test/cli/whole-backup.test.ts',
  },
  {
    name: 'cache-bound',
    file: 'src/core/caches.ts',
    from: '{ maxSize: Math.max(1, limit) }',
    to: '{ max: 1e6, maxSize: 1e12 }',
    test: 'test/core/caches.test.ts',
  },
  {
    name: 'former-key-ends',
    file: 'src/platform/signer.ts',
    from: 'old.filter(({ until }) => until === undefined || until > now)',
    to: 'old',
    test: 'test/store/signing-keys.test.ts',
  },
  {
    name: 'answers-follow-commits',
    file: 'src/store/engines/sqlite.ts',
    from: "Number(this.#reader.statement('PRAGMA data_version').all([])[0]?.data_version)",
    to: '1',
    test: 'test/store/mark.test.ts',
  },
  {
    name: 'stale-preparation',
    file: 'src/domain/content/write/rebased-edits.ts',
    from: '      if (page.document !== rebased.head) throw new StalePreparation()\n',
    to: '',
    test: 'test/faults/two-writers.test.ts',
  },
  {
    name: 'prepared-again',
    file: 'src/http/api/dispatch.ts',
    from: '      if (error instanceof StalePreparation) return undefined\n',
    to: '',
    test: 'test/faults/two-writers.test.ts',
  },
  {
    name: 'conflicts-refused',
    file: 'src/domain/content/write/rebased-edits.ts',
    from: / {4}if \(conflicts.length > 0 && change.onConflict === 'refuse'\).*\n/,
    to: '',
    test: 'test/api/content/saving.test.ts',
  },
  {
    name: 'if-match-by-revision',
    file: 'src/http/api/dispatch.ts',
    from: 'checkRevision(request.ifMatch, call)',
    to: 'undefined',
    test: 'test/api/content/saving.test.ts',
  },
  {
    name: 'amend-for-minutes',
    file: 'src/domain/content/write/commit.ts',
    from: / {2}if \(Date.parse\(now\) - Date.parse\(before.begunAt .*\n/,
    to: '',
    test: 'test/api/content/saving.test.ts',
  },
  {
    name: 'amend-own',
    file: 'src/domain/content/write/commit.ts',
    from: ' || before.createdBy !== actor.user.id',
    to: '',
    test: 'test/api/content/saving.test.ts',
  },
  {
    name: 'events-go-on',
    file: 'src/domain/events/stream.ts',
    from: 'after === undefined ? await lastPosition(base.db, subject) : Number(after)',
    to: 'await lastPosition(base.db, subject)',
    test: 'test/api/event-streams.test.ts',
  },
  {
    name: 'events-of-other-processes',
    file: 'src/domain/events/feed.ts',
    from: 'if (isNew || isOld) wake()',
    to: 'if (isOld) wake()',
    test: 'test/api/event-streams.test.ts',
  },
  {
    name: 'event-noted',
    file: 'src/domain/collections.ts',
    from: / {4}await noteThing\(base, 'collection', collection, 'collection_deleted'.*\n/,
    to: '',
    test: 'test/api/events.test.ts',
  },
  {
    name: 'copy-is-indexed-later',
    file: 'src/domain/spaces/handlers.ts',
    from: "    await enqueue(db, { kind: 'index', payload: { space: id }, uniqueKey: id })\n",
    to: '',
    test: 'test/faults/kill-copy.test.ts',
  },
  {
    name: 'readers-are-counted',
    file: 'src/http/edge/index.ts',
    from: '    metrics.observe(exchange)\n',
    to: "    if (exchange.surface !== 'site') metrics.observe(exchange)\n",
    test: 'test/http/edge.test.ts',
  },
]

const wanted = process.argv.slice(2)
let survivors = 0
for (const { name, file, from, to, test } of mutations) {
  if (wanted.length > 0 && !wanted.includes('--list') && !wanted.includes(name)) continue
  const text = readFileSync(file, 'utf8')
  const mutated = text.replace(from, to)
  if (mutated === text) {
    console.error(`${name}: the line is no longer in ${file}.`)
    survivors++
    continue
  }
  if (wanted.includes('--list')) continue
  try {
    writeFileSync(file, mutated)
    const { status } = spawnSync('npx', ['vitest', 'run', test, '--bail=1'], { encoding: 'utf8' })
    if (status === 0) survivors++
    console.log(`${name.padEnd(34)} ${status === 0 ? 'SURVIVED' : 'noticed'}  ${test}`)
  } finally {
    writeFileSync(file, text)
  }
}
process.exit(survivors === 0 ? 0 : 1)
