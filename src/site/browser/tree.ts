/** The page tree: chevrons that fold, branches that are fetched when opened, and what was open stays open. */
import { all, from, make, memory, one, word } from './dom.ts'
import { addSymbols } from './sprite.ts'

const store = (): Storage => sessionStorage
const key = (): string => `tree:${one('#side')?.dataset.treeKey ?? ''}`

export function startTree(): void {
  document.addEventListener('click', (event) => {
    const fold = from(event, '.fold')
    const branch = fold?.closest<HTMLElement>('.branch')
    if (branch) void toggle(branch, !branch.classList.contains('open'))
    const lazy = from<HTMLAnchorElement>(event, '.group.branch > a')
    if (lazy?.parentElement) {
      event.preventDefault()
      void toggle(lazy.parentElement, !lazy.parentElement.classList.contains('open'))
    }
    const more = from<HTMLAnchorElement>(event, '[data-more]')
    if (more !== null) {
      event.preventDefault()
      void fill(more)
    }
  })
}

export function freshenTree(): void {
  const tree = one('.side .tree')
  if (tree === null) return
  addFolds(tree)
  for (const id of remembered()) {
    const branch = one(`.branch[data-id="${CSS.escape(id)}"]`, tree)
    if (branch !== null && !branch.classList.contains('open')) void toggle(branch, true)
  }
  showCurrent()
}

/** Scrolls the tree, not the page, so that the current page is in view. */
export function showCurrent(): void {
  const box = one('.side-scroll')
  const current = one('.side [aria-current="page"]')
  if (box === null || current === null) return
  const { top, bottom } = current.getBoundingClientRect()
  const around = box.getBoundingClientRect()
  if (top < around.top + 40 || bottom > around.bottom - 40) box.scrollTop += top - around.top - box.clientHeight / 2.5
}

function addFolds(within: ParentNode): void {
  for (const branch of all('.branch', within)) {
    const link = branch.querySelector<HTMLElement>(':scope > a')
    if (link === null || branch.matches('.group') || branch.querySelector(':scope > .fold') !== null) continue
    const open = String(branch.classList.contains('open'))
    const fold = make('button', {
      class: 'fold',
      type: 'button',
      'aria-expanded': open,
      'aria-label': word('expand', (link.textContent ?? '').trim()),
    })
    link.after(fold)
  }
}

async function toggle(branch: HTMLElement, open: boolean): Promise<void> {
  if (open && branch.querySelector(':scope > ul') === null) {
    branch.classList.add('busy')
    const list = await fetchLevel(
      `${document.body.dataset.base ?? ''}/~tree/${encodeURIComponent(branch.dataset.id ?? '')}`,
    )
    branch.classList.remove('busy')
    if (list === undefined) return
    branch.append(list)
  }
  branch.classList.toggle('open', open)
  const list = branch.querySelector<HTMLElement>(':scope > ul')
  if (list !== null) list.hidden = !open
  branch.querySelector(':scope > .fold')?.setAttribute('aria-expanded', String(open))
  const id = branch.dataset.id ?? ''
  const ids = remembered().filter((known) => known !== id)
  memory.write(key(), (open ? [id, ...ids] : ids).slice(0, 100).join('\n'), store)
}

/** Replaces a level that was cut short by the whole of it. */
async function fill(more: HTMLAnchorElement): Promise<void> {
  const level = more.closest('ul')
  const list = await fetchLevel(more.href)
  if (level === null || list === undefined) return
  const present = new Map(all(':scope > li', level).map((row) => [row.querySelector('a')?.getAttribute('href'), row]))
  const rows = all(':scope > li', list).map((row) => present.get(row.querySelector('a')?.getAttribute('href')) ?? row)
  level.replaceChildren(...rows)
}

async function fetchLevel(url: string): Promise<HTMLElement | undefined> {
  try {
    const answer = await fetch(url, { headers: { accept: 'text/fragment+html' } })
    if (!answer.ok) return undefined
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html')
    addSymbols(parsed)
    const list = parsed.querySelector<HTMLElement>('ul')
    if (list === null) return undefined
    addFolds(list)
    return document.importNode(list, true)
  } catch {
    return undefined
  }
}

const remembered = (): string[] => (memory.read(key(), store) ?? '').split('\n').filter((id) => id !== '')
