/**
 * The script of the frame that draws diagrams. It runs without an origin and without a network (`files.ts` has its policy),
 * so that whatever a diagram may hold, nothing but a picture comes of it.
 */
declare const mermaid: {
  initialize(settings: object): void
  render(id: string, source: string): Promise<{ svg: string }>
}

let count = 0
let latest = ''

addEventListener('message', (event) => {
  const message: unknown = event.data
  if (event.source !== parent || typeof message !== 'object' || message === null || !('source' in message)) return
  const colors =
    'colors' in message && typeof message.colors === 'object' && message.colors !== null ? message.colors : {}
  void draw(String(message.source), new Map(Object.entries(colors).map(([name, value]) => [name, String(value)])))
})

async function draw(source: string, colors: ReadonlyMap<string, string>): Promise<void> {
  count += 1
  const id = `diagram-${count}`
  latest = id
  const [ground, raised, text, line, accent, edge] = ['ground', 'raised', 'text', 'line', 'accent', 'edge'].map(
    (name) => colors.get(name),
  )
  try {
    mermaid.initialize({
      startOnLoad: false,
      securityLevel: 'strict',
      theme: 'base',
      maxTextSize: 50_000,
      fontFamily: colors.get('font'),
      themeVariables: {
        darkMode: colors.get('scheme') === 'dark',
        background: ground,
        mainBkg: accent,
        primaryColor: accent,
        primaryTextColor: text,
        primaryBorderColor: edge,
        secondaryColor: raised,
        tertiaryColor: raised,
        noteBkgColor: raised,
        noteTextColor: text,
        textColor: text,
        lineColor: line,
        edgeLabelBackground: ground,
        fontSize: '15px',
      },
    })
    const { svg } = await mermaid.render(id, source)
    if (latest !== id) return
    document.body.innerHTML = svg
    tellHeight()
  } catch {
    parent.postMessage({ failed: true }, '*')
  }
}

function tellHeight(): void {
  const picture = document.querySelector('body > svg')
  if (picture !== null) parent.postMessage({ height: picture.getBoundingClientRect().height }, '*')
}

new ResizeObserver(tellHeight).observe(document.documentElement)
parent.postMessage({ ready: true }, '*')
