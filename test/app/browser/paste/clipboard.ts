/** The clipboard of a page, as the events of a browser hand it over. */
import type { Page } from 'playwright-core'

export const pasteData = (page: Page, data: Readonly<Record<string, string>>): Promise<unknown> =>
  page.evaluate(`{
    const data = new DataTransfer()
    for (const [type, value] of Object.entries(${JSON.stringify(data)})) data.setData(type, value)
    document.querySelector('.ed-doc').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }`)

export const copyData = (page: Page, event: 'copy' | 'cut' = 'copy'): Promise<Record<string, string>> =>
  page.evaluate(`{
    const data = new DataTransfer()
    document.querySelector('.ed-doc').dispatchEvent(new ClipboardEvent('${event}', { clipboardData: data, bubbles: true, cancelable: true }))
    Object.fromEntries(data.types.map((type) => [type, data.getData(type)]))
  }`)
