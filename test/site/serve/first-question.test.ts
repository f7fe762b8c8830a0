import { expect, test } from 'vitest'
import { bundleChild, startChild } from '../../kit/child.ts'

test('the first question of an assistant finds made what its library makes when it is first asked', async () => {
  const script = await bundleChild('test/site/serve/first-question-child.ts')
  const timeOf = async (how: string) => Number(await startChild(script, [how]).says(''))
  const unprepared = await timeOf('unprepared')
  const prepared = Math.min(await timeOf('prepared'), await timeOf('prepared'))
  // 5 ms instead of 110: less than a third on any machine. Were both alike, nothing would need to be prepared.
  expect(prepared).toBeLessThan(unprepared / 3)
})
