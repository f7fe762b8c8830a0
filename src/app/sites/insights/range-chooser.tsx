/** Which days are shown: some that are often wanted, or any. */
import { useId, useState } from 'react'
import { TextField } from '../../kit/field.tsx'
import { insightsTexts } from '../../texts/insights.ts'
import { lastDays, lengthOf, mostDays, type Range, today } from './days.ts'

const lengths = ['7', '30', '90', '365'] as const
type Chosen = (typeof lengths)[number] | 'custom'

export function RangeChooser({ range, onChange }: { range: Range; onChange: (range: Range) => void }) {
  const [chosen, choose] = useState<Chosen>('30')
  const [given, setGiven] = useState(range)
  const name = useId()
  const problem = chosen === 'custom' ? problemOf(given) : undefined
  const change = (next: Range): void => {
    setGiven(next)
    if (problemOf(next) === undefined) onChange(next)
  }
  return (
    <div className="insights-range">
      <fieldset className="ui-fieldset">
        <legend className="sr">{insightsTexts.range}</legend>
        <div className="ui-segments">
          {([...lengths, 'custom'] as const).map((one) => (
            <label key={one}>
              <input
                type="radio"
                className="sr"
                name={name}
                checked={one === chosen}
                onChange={() => {
                  choose(one)
                  setGiven(range)
                  if (one !== 'custom') onChange(lastDays(Number(one), today()))
                }}
              />
              <span>{insightsTexts.ranges[one]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {chosen === 'custom' && (
        <div className="insights-days-given">
          {(['from', 'to'] as const).map((end) => (
            <TextField
              key={end}
              type="date"
              label={insightsTexts[end]}
              max={today()}
              value={given[end]}
              aria-invalid={problem === undefined ? undefined : true}
              hint={end === 'to' && problem !== undefined ? <span className="ui-problem">{problem}</span> : undefined}
              onChange={({ target }) => change({ ...given, [end]: target.value })}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function problemOf({ from, to }: Range): string | undefined {
  if (from === '' || to === '') return insightsTexts.noDay
  if (from > to) return insightsTexts.wrongOrder
  if (to > today()) return insightsTexts.future
  return lengthOf({ from, to }) > mostDays ? insightsTexts.tooLong : undefined
}
