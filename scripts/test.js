// What `npm test` runs: all tests, or those whose files are named. It ends with the slowest files and one line that says how many
// passed and failed. After a run of everything, a few failed files are run again alone: browsers that wait for each other on a busy
// machine are told apart from code that is wrong, and the files that needed it are named, since an unsteady test is a fault as well.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** So many files are run again at most, beside those in which the browser crashed: more are no accident. */
const mostAgain = 3
/** How often files are run again in which the browser itself crashed, which Chromium 156 does now and then; others once. */
const mostRounds = 3

const named = process.argv.slice(2)
const first = await runTests(named)
const mayRunAgain = named.length === 0 && first.failedFiles.length - first.crashedFiles <= mostAgain
let last = first
for (let round = 1; mayRunAgain && last.failedFiles.length > 0 && (round === 1 || last.crashedFiles > 0); round++) {
  if (round > mostRounds) break
  console.log(`run again alone after ${last.failed} failed: ${last.failedFiles.join(', ')}`)
  last = await runTests([...last.failedFiles, '--maxWorkers=1'])
}

if (first.slowest.length > 1) console.log(`slowest: ${first.slowest.join(', ')}`)
console.log(`${first.passed + first.failed - last.failed} passed, ${last.failed} failed`)
process.exit(last.code)

async function runTests(options) {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-results-'))
  const results = join(folder, 'results.json')
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${results}`]
  const vitest = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...reporters, ...options],
    { cwd: root, stdio: 'inherit' },
  )
  const code = await new Promise((resolve) => vitest.on('exit', (code) => resolve(code ?? 1)))
  const read = readResults(results)
  rmSync(folder, { recursive: true, force: true })
  // An error outside of any test fails a run whose tests all passed, and is nobody's to run again.
  return { code, ...read }
}

function readResults(results) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(results, 'utf8'))
    const files = testResults.filter((file) => file.status === 'failed')
    // A file that could not be loaded or prepared has no failed test to count, and is a failure all the same.
    const broken = files.filter((file) => file.assertionResults.every((test) => test.status !== 'failed')).length
    return {
      passed: numPassedTests,
      failed: numFailedTests + broken,
      failedFiles: files.map((file) => relative(root, file.name)),
      crashedFiles: files.filter((file) => /(?:Target|Page) crashed/.test(JSON.stringify(file))).length,
      slowest: slowestOf(testResults),
    }
  } catch {
    return { passed: 0, failed: 1, failedFiles: [], crashedFiles: 0, slowest: [] }
  }
}

function slowestOf(files) {
  return files
    .map((file) => ({ name: relative(root, file.name), seconds: Math.round((file.endTime - file.startTime) / 1000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 25)
    .map(({ name, seconds }) => `${name} ${seconds} s`)
}
