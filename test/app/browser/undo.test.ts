/**
 * Undo takes back what one did oneself and nothing else: two people in one page, each in a browser of their own, whose words and
 * deletions cross.
 */
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sqlite } from '../../kit/backends.ts'
import { useKit } from '../../kit/server.ts'
import { launchChromium } from '../../site/chromium.ts'
import { moveCursor, typeKeys } from './keyboard.ts'
import { makePage, readMarkdown } from './pages.ts'
import { content, openToWrite, signIn, type Writer, writeAt } from './people.ts'

const kit = useKit(sqlite)
let browser: Browser
let origin = ''
let spaceId = ''
let ann: Writer
let ben: Writer

beforeAll(async () => {
  await kit.server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(kit.server.app.server.address() as AddressInfo).port}`
  spaceId = (await kit.as.admin.createSpace({ organizationId: kit.organization, body: { title: 'Undo' } })).id
  browser = await launchChromium()
  ann = await signIn(browser, origin, kit.people.admin.token)
  ben = await signIn(browser, origin, kit.people.review.token)
})
afterAll(() => browser?.close())

/** What Ann does by keys from the words she clicks, then Ben; what stands after both, after her undo and after her redo. */
interface Crossing {
  title: string
  page: string
  ann: readonly [at: string, keys: string]
  ben: readonly [at: string, keys: string]
  together: string
  undone: string | RegExp
}

const crossings: readonly Crossing[] = [
  {
    title: 'words of another before mine',
    page: 'The lamp is red.\n\nRest.',
    ann: ['The lamp is red.', '<End> It shines.'],
    ben: ['The lamp is red.', '<Home>Look: '],
    together: 'Look: The lamp is red. It shines.\n\nRest.',
    undone: 'Look: The lamp is red.\n\nRest.',
  },
  {
    title: 'words of another in the middle of mine',
    page: 'Begin.\n\nRest.',
    ann: ['Begin.', '<End> One two three.'],
    ben: ['Begin.', '<End><Control+ArrowLeft><Control+ArrowLeft>and a half '],
    together: 'Begin. One two and a half three.\n\nRest.',
    // Which of the blanks around them were whose nobody can tell.
    undone: /^Begin\. ?and a half(&#x20;)?\n\nRest\.$/,
  },
  {
    title: 'a word that another deleted beside mine',
    page: 'One old word here.\n\nRest.',
    ann: ['One old word here.', '<End> Mine.'],
    ben: ['One old word here.', '<Home><Control+ArrowRight><Control+Delete>'],
    together: 'One word here. Mine.\n\nRest.',
    undone: 'One word here.\n\nRest.',
  },
  {
    title: 'a block that another deleted before mine',
    page: 'Goes.\n\nStays.\n\nRest.',
    ann: ['Stays.', '<End> Mine.'],
    ben: ['Goes.', '<Escape><Delete>'],
    together: 'Stays. Mine.\n\nRest.',
    undone: 'Stays.\n\nRest.',
  },
  {
    title: 'a deletion of mine, and words of another beside it',
    page: 'One two three four.\n\nRest.',
    ann: ['One two three four.', '<Home><Control+Delete><Delete>'],
    ben: ['two three four.', '<End> Five.'],
    together: 'two three four. Five.\n\nRest.',
    undone: 'One two three four. Five.\n\nRest.',
  },
  {
    title: 'a heading that I made, in which another wrote',
    page: 'Plain.\n\nRest.',
    ann: ['Plain.', '<Control+Alt+1>'],
    ben: ['Plain.', '<End> Ben.'],
    together: '## Plain. Ben.\n\nRest.',
    undone: 'Plain. Ben.\n\nRest.',
  },
  {
    title: 'a list that I made tasks of, in which another wrote',
    page: '* one\n* two\n\nRest.',
    ann: ['one', '<Control+Shift+9>'],
    ben: ['two', '<End> Ben.'],
    together: '* [ ] one\n* [ ] two Ben.\n\nRest.',
    undone: '* one\n* two Ben.\n\nRest.',
  },
  {
    title: 'a block that I made, in which another wrote',
    page: 'First.\n\nRest.',
    ann: ['First.', '<End><Enter>Mine.'],
    ben: ['Mine.', '<End> Ben.'],
    together: 'First.\n\nMine. Ben.\n\nRest.',
    undone: /^First\.\n\n(&#x20;)?Ben\.\n\nRest\.$/,
  },
  {
    title: 'a block that I moved, in which another wrote',
    page: 'First.\n\nSecond.\n\nRest.',
    ann: ['First.', '<Alt+ArrowDown>'],
    ben: ['First.', '<End> Ben.'],
    together: 'Second.\n\nFirst. Ben.\n\nRest.',
    undone: 'First. Ben.\n\nSecond.\n\nRest.',
  },
  {
    title: 'a block that I moved past another, in which somebody wrote',
    page: 'First.\n\nSecond.\n\nRest.',
    ann: ['First.', '<Alt+ArrowDown>'],
    ben: ['Second.', '<End> Ben.'],
    together: 'Second. Ben.\n\nFirst.\n\nRest.',
    undone: 'First.\n\nSecond. Ben.\n\nRest.',
  },
]

for (const { title, page, ann: mine, ben: theirs, together, undone } of crossings)
  test(`undo and redo are of mine only: ${title}`, { timeout: 60_000 }, async () => {
    const pageId = await makePage(kit.as.admin, { spaceId, markdown: page })
    const address = `${origin}/app/s/${spaceId}/p/${pageId}`
    const stored = async (): Promise<string> =>
      (await readMarkdown(kit.as.admin, { spaceId, pageId })).replace('# Page', '').trim()
    const standsAt = (words: string | RegExp) =>
      typeof words === 'string'
        ? expect.poll(stored, { timeout: 15_000 }).toBe(words)
        : expect.poll(stored, { timeout: 15_000 }).toMatch(words)
    await openToWrite(ann.page, address)
    await openToWrite(ben.page, address)
    const both = [ann, ben]
    const shown = () => Promise.all(both.map((writer) => wordsOf(writer)))

    const before = await stored()
    await act(ann, mine)
    await expect.poll(stored, { timeout: 15_000 }).not.toBe(before)
    await expect.poll(async () => new Set(await shown()).size, { timeout: 15_000 }).toBe(1)
    await act(ben, theirs)
    await standsAt(together)
    await expect.poll(async () => new Set(await shown()).size, { timeout: 15_000 }).toBe(1)

    await ann.page.keyboard.press('Control+z')
    await standsAt(undone)
    await expect.poll(async () => new Set(await shown()).size, { timeout: 15_000 }).toBe(1)
    await ann.page.keyboard.press('Control+Shift+z')
    await standsAt(together)
  })

async function act({ page }: Writer, [at, keys]: readonly [string, string]): Promise<void> {
  await writeAt(page, at, 'End', '')
  await typeKeys(page, keys)
}

const wordsOf = async ({ page }: Writer): Promise<string> =>
  (await content(page).locator('p, h2, h3').allTextContents()).join('\n')

test('what another deleted does not come back by my undo, nor do I take back what is theirs', {
  timeout: 60_000,
}, async () => {
  const pageId = await makePage(kit.as.admin, { spaceId, markdown: 'Kept.\n\nDoomed.\n\nRest.' })
  const stored = async (): Promise<string> =>
    (await readMarkdown(kit.as.admin, { spaceId, pageId })).replace('# Page', '').trim()
  for (const { page } of [ann, ben]) await openToWrite(page, `${origin}/app/s/${spaceId}/p/${pageId}`)
  await writeAt(ann.page, 'Kept.', 'End', ' First of mine.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('First of mine.')
  await writeAt(ann.page, 'Doomed.', 'End', ' Second of mine.')
  await expect.poll(stored, { timeout: 15_000 }).toContain('Second of mine.')
  await content(ben.page).getByText('Doomed. Second of mine.').waitFor({ timeout: 15_000 })
  await writeAt(ben.page, 'Rest.', 'End', ' Of Ben.')
  await writeAt(ben.page, 'Doomed.', 'End', '')
  await ben.page.keyboard.press('Escape')
  await ben.page.keyboard.press('Delete')
  await content(ann.page).getByText('Rest. Of Ben.').waitFor({ timeout: 15_000 })
  await content(ann.page).getByText('Doomed.').waitFor({ state: 'detached', timeout: 15_000 })

  // The second edit went with its block; what is left of mine is the first.
  await writeAt(ann.page, 'Kept.', 'End', '')
  for (let pressed = 0; pressed < 3; pressed += 1) await moveCursor(ann.page, 'Control+z')
  await expect.poll(stored, { timeout: 15_000 }).toBe('Kept.\n\nRest. Of Ben.')
})
