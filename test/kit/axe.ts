/**
 * What axe finds wrong with a page in the browser. Axe is put into a page once and asked there, in its top frame only: frames
 * hold other people's pages.
 */
import axe from 'axe-core'
import type { Page } from 'playwright-core'

interface AxeOptions {
  /** Only these rules; all, unless said. */
  only?: readonly string[]
  without?: readonly string[]
}

export async function findViolations(page: Page, { only, without = [] }: AxeOptions = {}): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(`(() => { ${axe.source} })()`)
  const options = {
    resultTypes: ['violations'],
    iframes: false,
    ...(only ? { runOnly: [...only] } : {}),
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
  }
  const found: axe.Result[] = await page.evaluate(
    `axe.run({ exclude: [['iframe']] }, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => {
      const why = failureSummary?.split('\n')[1]?.trim() ?? ''
      return `${id}: ${target.join(' ')} ${html.slice(0, 200)} — ${why}`
    }),
  )
}
