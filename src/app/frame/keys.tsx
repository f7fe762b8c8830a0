/** All keys of the app, behind `?`. */
import { useEffect, useState } from 'react'
import { keyLabel } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { isTyping } from '../kit/typing.ts'
import { t } from '../texts/index.ts'

const rows: readonly [keys: readonly string[], what: string][] = [
  [['Mod-K'], t.keys.palette],
  [['N'], t.keys.newPage],
  [['['], t.keys.side],
  [[']'], t.keys.outline],
  [['F6'], t.keys.regions],
  [['/'], t.keys.slash],
  [['Mod-Alt-M'], t.keys.comment],
  [['Mod-Alt-F'], t.page.find],
  [['↑', '↓'], t.keys.treeMove],
  [['←', '→'], t.keys.treeOpen],
  [['F2'], t.keys.treeRename],
  [['Alt-↑', 'Alt-↓', 'Alt-←', 'Alt-→'], t.keys.treeMovePage],
  [['Shift-F10'], t.keys.treeMenu],
  [['N', 'P'], t.keys.nextChange],
  [['?'], t.keys.help],
]

const opened = new EventTarget()
export const openKeys = (): void => void opened.dispatchEvent(new Event('open'))

export function KeysDialog() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const show = (): void => setOpen(true)
    const press = (event: KeyboardEvent): void => {
      if (event.key === '?' && !isTyping(event)) setOpen(true)
      if (event.key === 'F6') focusNextRegion(event)
    }
    opened.addEventListener('open', show)
    addEventListener('keydown', press)
    return () => {
      opened.removeEventListener('open', show)
      removeEventListener('keydown', press)
    }
  }, [])
  return (
    <Dialog open={open} onClose={() => setOpen(false)} title={t.keys.title}>
      <dl className="ui-keys">
        {rows.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{keyLabel(key)}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** Side panel, bar, screen, and what stands beside it: around and around. */
function focusNextRegion(event: KeyboardEvent): void {
  event.preventDefault()
  const regions = [...document.querySelectorAll<HTMLElement>('.ui-side, .ui-top, #main, .ui-aside')].filter(
    (region) => region.offsetParent !== null || region.id === 'main',
  )
  const now = regions.findIndex((region) => region.contains(document.activeElement))
  const step = event.shiftKey ? -1 : 1
  const next = regions.at((now + step) % regions.length)
  const target = next?.id === 'main' ? next : next?.querySelector<HTMLElement>('button, a[href], [tabindex="0"]')
  target?.focus()
}
