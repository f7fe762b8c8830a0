/** All keys of the app, behind `?`. */
import { useEffect, useState } from 'react'
import { keyLabel } from '../kit/button.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { isTyping } from '../kit/typing.ts'
import { t } from '../texts/index.ts'

type Row = readonly [keys: readonly string[], what: string]

const groups: readonly { title: string; rows: readonly Row[] }[] = [
  {
    title: t.keys.title,
    rows: [
      [['Mod-K'], t.keys.palette],
      [['N'], t.keys.newPage],
      [['['], t.keys.side],
      [[']'], t.keys.outline],
      [['F6'], t.keys.regions],
      [['?'], t.keys.help],
    ],
  },
  {
    title: t.keys.writing,
    rows: [
      [['/', 'Mod-/'], t.keys.slash],
      [['Mod-B', 'Mod-I', 'Mod-E'], t.keys.marks],
      [['Mod-Shift-X'], t.keys.strike],
      [['Mod-.', 'Mod-,'], t.keys.scripts],
      [['Mod-K'], t.keys.link],
      [['Mod-Alt-0', '1', '2', '3'], t.keys.kinds],
      [['Mod-Shift-7', '8', '9'], t.keys.lists],
      [['Mod-Shift-B', 'Mod-Alt-C'], t.keys.quoteAndCode],
      [['Esc'], t.keys.choose],
      [['Alt-↑', 'Alt-↓'], t.keys.move],
      [['Mod-Enter'], t.keys.leave],
      [['Mod-Shift-V'], t.keys.pastePlain],
      [['Mod-Z', 'Mod-Shift-Z'], t.keys.undo],
      [['Mod-S'], t.keys.save],
      [['Mod-Alt-M'], t.keys.comment],
      [['Mod-Alt-F'], t.page.find],
    ],
  },
  {
    title: t.keys.tree,
    rows: [
      [['↑', '↓'], t.keys.treeMove],
      [['←', '→'], t.keys.treeOpen],
      [['F2'], t.keys.treeRename],
      [['Alt-↑', 'Alt-↓', 'Alt-←', 'Alt-→'], t.keys.treeMovePage],
      [['Shift-F10'], t.keys.treeMenu],
    ],
  },
  {
    title: t.keys.changes,
    rows: [
      [['N', 'P'], t.keys.nextChange],
      [['M', 'T', 'B'], t.keys.settle],
    ],
  },
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
      {groups.map(({ title, rows }, index) => (
        <section key={title}>
          {index > 0 && <h3 className="ui-keys-title">{title}</h3>}
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
        </section>
      ))}
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
