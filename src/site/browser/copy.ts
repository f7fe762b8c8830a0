/** Copy buttons of code blocks, of prompts, and of the whole page as Markdown. */
import { all, from, word } from './dom.ts'

export function startCopy(): void {
  document.addEventListener('click', (event) => {
    const code = from(event, '[data-copy]')
    if (code !== null) {
      const pre = code.closest('.code, .prompt')?.querySelector('pre')
      if (pre) void copy(code, Promise.resolve(textOf(pre)))
    }
    const page = from(event, '[data-copy-page]')
    if (page !== null)
      void copy(
        page,
        fetch(page.dataset.copyPage ?? '').then((answer) => (answer.ok ? answer.text() : Promise.reject(answer))),
      )
  })
}

/** Lines end with their line break already; the last one is not part of what an author wrote. */
const textOf = (pre: Element): string => (pre.textContent ?? '').replace(/\n$/, '')

/** On plain http, as in a trusted network, browsers have no clipboard for pages but the old one. */
async function put(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (!isDone) throw new Error('The browser does not let us copy.')
}

async function copy(button: HTMLElement, text: Promise<string>): Promise<void> {
  try {
    await put(await text)
  } catch {
    return
  }
  for (const other of all('.copied')) other.classList.remove('copied')
  button.classList.add('copied')
  const label = button.querySelector('span') ?? undefined
  const before = label?.textContent ?? button.getAttribute('aria-label')
  const say = (words: string | null): void => {
    if (label) label.textContent = words
    else if (words !== null && button.hasAttribute('aria-label')) button.setAttribute('aria-label', words)
  }
  if (before !== word('copied')) {
    say(word('copied'))
    setTimeout(() => {
      say(before)
      button.classList.remove('copied')
    }, 1800)
  }
}
