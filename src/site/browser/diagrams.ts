/**
 * Diagrams: where a page has one, a frame without any rights of the page draws it, and hears nothing but the source and
 * the colours. The source stays in the page for who cannot see the picture, and is all there is when drawing fails.
 */
import { all, make, one } from './dom.ts'

const root = document.documentElement
const frames = new Map<MessageEventSource, { frame: HTMLIFrameElement; box: HTMLElement }>()
const near = new IntersectionObserver(
  (seen) => {
    for (const { isIntersecting, target } of seen) {
      if (!isIntersecting || !(target instanceof HTMLElement)) continue
      near.unobserve(target)
      begin(target)
    }
  },
  { rootMargin: '400px' },
)

export function startDiagrams(): void {
  addEventListener('message', (event) => {
    const known = event.source === null ? undefined : frames.get(event.source)
    const message: unknown = event.data
    if (known === undefined || typeof message !== 'object' || message === null) return
    if ('ready' in message) tell(known.box, known.frame)
    else if ('height' in message && typeof message.height === 'number') show(known.box, known.frame, message.height)
    else if ('failed' in message) {
      known.frame.remove()
      known.box.classList.remove('drawn')
    }
  })
  // A reader may change the colours, by the switch or in the system.
  new MutationObserver(tellAll).observe(root, { attributeFilter: ['data-theme'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tellAll)
}

export function freshenDiagrams(): void {
  for (const [source, { frame }] of frames) if (!frame.isConnected) frames.delete(source)
  for (const box of all('[data-diagram]')) if (one('iframe', box) === null) near.observe(box)
}

function begin(box: HTMLElement): void {
  const address = one<HTMLScriptElement>('script[data-diagrams]')?.dataset.diagrams
  if (address === undefined) return
  const frame = make('iframe', { sandbox: 'allow-scripts', title: box.dataset.diagram ?? '', src: address })
  if (!(frame instanceof HTMLIFrameElement)) return
  box.append(frame)
  if (frame.contentWindow !== null) frames.set(frame.contentWindow, { frame, box })
}

function tellAll(): void {
  for (const { box, frame } of frames.values()) tell(box, frame)
}

/** The frame has an origin of its own that has no name, so that no other can be told. */
function tell(box: HTMLElement, frame: HTMLIFrameElement): void {
  const source = all('.line', box)
    .map((line) => line.textContent ?? '')
    .join('')
  frame.contentWindow?.postMessage({ source, colors: colorsOf(box) }, '*')
}

function show(box: HTMLElement, frame: HTMLIFrameElement, height: number): void {
  frame.style.height = `${Math.min(4000, Math.max(20, Math.ceil(height)))}px`
  box.classList.add('drawn')
  one('pre', box)?.setAttribute('tabindex', '-1')
}

const names = {
  ground: '--ground',
  raised: '--raised',
  text: '--text',
  line: '--quiet',
  accent: '--accent-soft',
  edge: '--accent',
}

/** The colours of the page as numbers: what draws does not know all the ways of CSS to name one. */
function colorsOf(box: HTMLElement): Record<string, string> {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
  const style = getComputedStyle(box)
  const colors: Record<string, string> = { scheme: isDark() ? 'dark' : 'light', font: style.fontFamily }
  for (const [name, property] of Object.entries(names)) {
    if (canvas === null) break
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = style.getPropertyValue('--ground').trim()
    canvas.fillRect(0, 0, 1, 1)
    canvas.fillStyle = style.getPropertyValue(property).trim()
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    colors[name] = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
  return colors
}

function isDark(): boolean {
  const { theme } = root.dataset
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
}
