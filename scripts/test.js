// What `npm test` runs: all tests, or those whose files are named; ends with the slowest files and one line that says how many passed and failed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'lectern-results-'))
const results = join(folder, 'results.json')

const vitest = spawn(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${results}`,
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
)

vitest.on('exit', (code) => {
  const { passed, failed, slowest } = readResults()
  rmSync(folder, { recursive: true, force: true })
  if (slowest.length > 1) console.log(`slowest: ${slowest.join(', ')}`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(code ?? 1)
})

function readResults() {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(results, 'utf8'))
    // A file that could not be loaded or prepared has no failed test to count, and is a failure all the same.
    const broken = testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
    ).length
    return { passed: numPassedTests, failed: numFailedTests + broken, slowest: slowestOf(testResults) }
  } catch {
    return { passed: 0, failed: 1, slowest: [] }
  }
}

function slowestOf(files) {
  return files
    .map((file) => ({ name: relative(root, file.name), seconds: Math.round((file.endTime - file.startTime) / 1000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 25)
    .map(({ name, seconds }) => `${name} ${seconds} s`)
}
