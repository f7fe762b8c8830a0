/** Notes behind words: browsers open them; where they cannot place them beside the word, this does. */
import { all } from './dom.ts'

const placed = CSS.supports('position-area: bottom')

export function freshenNotes(): void {
  if (placed) return
  for (const note of all('.note[popover]')) {
    note.addEventListener('beforetoggle', (event) => {
      if (!(event instanceof ToggleEvent) || event.newState !== 'open') return
      requestAnimationFrame(() => placeNote(note))
    })
  }
}

function placeNote(note: HTMLElement): void {
  const word = document.querySelector(`[popovertarget="${CSS.escape(note.id)}"]`)
  if (word === null) return
  const at = word.getBoundingClientRect()
  const size = note.getBoundingClientRect()
  const below = at.bottom + 6 + size.height < innerHeight
  note.style.inset = 'auto'
  note.style.margin = '0'
  note.style.left = `${Math.max(16, Math.min(at.left, innerWidth - size.width - 16))}px`
  note.style.top = `${below ? at.bottom + 6 : Math.max(8, at.top - size.height - 6)}px`
}
