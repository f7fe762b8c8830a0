/** A list of links or groups that a person adds to, puts in order and takes from. What is taken out can be had back. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { showDone } from '../../kit/toast.tsx'
import { customizationTexts } from '../../texts/customization.ts'
import { t } from '../../texts/index.ts'
import { inserted, moved, replaced, without } from './rows.ts'

const texts = customizationTexts.header

interface RowListProps<Row> {
  label: string
  /** Said where there are none. */
  empty?: string
  addLabel: string
  rows: readonly Row[]
  most: number
  /** What a row is called, for those who do not see where its buttons stand. */
  nameOf: (row: Row) => string
  make: () => Row
  onChange: (rows: Row[]) => void
  children: (row: Row, index: number, change: (row: Row) => void) => ReactNode
}

export function RowList<Row>(props: RowListProps<Row>) {
  const { label, empty, addLabel, rows, most, nameOf, make, onChange, children } = props
  const list = useRef<HTMLOListElement>(null)
  /** The keyboard goes on with the row that was added or moved. */
  const focus = (index: number, what: string): void =>
    void requestAnimationFrame(() => list.current?.children[index]?.querySelector<HTMLElement>(what)?.focus())
  const move = (index: number, by: -1 | 1): void => {
    onChange(moved(rows, index, by))
    focus(index + by, by === -1 ? '[data-move="up"]' : '[data-move="down"]')
  }
  // What is taken back goes into the list as it is by then.
  const latest = useRef(props)
  latest.current = props
  const remove = (index: number, row: Row): void => {
    onChange(without(rows, index))
    const putBack = (): void => latest.current.onChange(inserted(latest.current.rows, index, row))
    showDone(texts.removed(nameOf(row)), { label: t.common.undo, run: putBack })
    list.current?.parentElement?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <fieldset className="ui-fieldset">
      <legend>{label}</legend>
      {rows.length === 0 && empty && <p className="ui-hint">{empty}</p>}
      <ol className="customization-rows" ref={list}>
        {rows.map((row, index) => {
          const name = nameOf(row)
          return (
            <li key={index}>
              <div className="customization-tools">
                <strong>{name}</strong>
                <IconButton
                  label={texts.up(name)}
                  icon={ArrowUp}
                  data-move="up"
                  aria-disabled={index === 0 || undefined}
                  onClick={() => index > 0 && move(index, -1)}
                />
                <IconButton
                  label={texts.down(name)}
                  icon={ArrowDown}
                  data-move="down"
                  aria-disabled={index === rows.length - 1 || undefined}
                  onClick={() => index < rows.length - 1 && move(index, 1)}
                />
                <IconButton label={texts.remove(name)} icon={X} onClick={() => remove(index, row)} />
              </div>
              {children(row, index, (next) => onChange(replaced(rows, index, next)))}
            </li>
          )
        })}
      </ol>
      {rows.length < most ? (
        <Button
          kind="quiet"
          icon={Plus}
          data-add=""
          onClick={() => {
            onChange([...rows, make()])
            focus(rows.length, 'input')
          }}
        >
          {addLabel}
        </Button>
      ) : (
        <p className="ui-hint">{texts.full}</p>
      )}
    </fieldset>
  )
}
