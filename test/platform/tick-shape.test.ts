import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { bundleChild } from '../kit/child.ts'

test('ticks take no longer when the collector has run with none alive', async () => {
  const script = await bundleChild('test/platform/counted-ticks.ts')
  const ratio = Number(execFileSync(process.execPath, ['--expose-gc', script], { encoding: 'utf8' }))
  // Without the shape they take more than three times as long.
  expect(ratio).toBeLessThan(2)
})
