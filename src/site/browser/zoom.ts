/** Pictures open over the page; without this script their link opens the file. */
import { drawIcon, from, make, word } from './dom.ts'

export function startZoom(): void {
  document.addEventListener('click', (event) => {
    const link = from<HTMLAnchorElement>(event, '[data-zoom]')
    if (link === null || !(event instanceof MouseEvent) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const image = link.querySelector('img')
    if (image !== null) open(link.href, image.alt)
  })
}

function open(src: string, alt: string): void {
  const image = make('img', { src, alt })
  const close = make('button', { class: 'icon-button', type: 'button', 'aria-label': word('close') })
  close.append(drawIcon('u-x'))
  const dialog = make('dialog', { class: 'lightbox', 'aria-label': alt }, image, close)
  if (!(dialog instanceof HTMLDialogElement)) return
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
