/** Counts over time as bars, and the same numbers as a table, which says all that the bars do. */
import { insightsTexts } from '../../texts/insights.ts'
import type { Range, Step } from './days.ts'
import { dayInWords, inWords, longDayInWords } from './numbers.ts'

interface ChartProps {
  what: string
  range: Range
  steps: readonly Step[]
  are: 'days' | 'weeks'
}

/** Bars are drawn in hundredths of the height and as many units wide as there are. */
const height = 100

export function Chart({ what, range, steps, are }: ChartProps) {
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  const most = steps.reduce((best, step) => (step.count > best.count ? step : best), steps[0] ?? { day: '', count: 0 })
  const top = roundUp(most.count)
  const [from, to] = [longDayInWords(range.from), longDayInWords(range.to)]
  const summary =
    total === 0
      ? insightsTexts.chartEmpty(what, from, to)
      : insightsTexts.chart(
          what,
          inWords(total),
          from,
          to,
          inWords(most.count),
          insightsTexts[are === 'days' ? 'onDay' : 'inWeek'](longDayInWords(most.day)),
        )
  const middle = steps[Math.floor((steps.length - 1) / 2)]
  return (
    <figure className="insights-chart">
      <div className="insights-scale" aria-hidden="true">
        <span>{inWords(top)}</span>
        {top > 1 && <span>{inWords(top / 2)}</span>}
        <span>0</span>
      </div>
      <svg role="img" aria-label={summary} viewBox={`0 0 ${steps.length} ${height}`} preserveAspectRatio="none">
        {[0, 0.5, 1].map((line) => (
          <line key={line} x1={0} x2={steps.length} y1={line * height} y2={line * height} />
        ))}
        {steps.map(({ day, count }, index) => (
          <g key={day}>
            <title>{`${are === 'days' ? '' : `${insightsTexts.week} `}${longDayInWords(day)}: ${inWords(count)}`}</title>
            <rect className="insights-hover" x={index} y={0} width={1} height={height} />
            <rect
              className="insights-bar"
              x={index + 0.12}
              y={height - (count / top) * height}
              width={0.76}
              height={(count / top) * height}
            />
          </g>
        ))}
      </svg>
      <div className="insights-days" aria-hidden="true">
        {steps.length > 2 && middle
          ? [steps[0], middle, steps.at(-1)].map((step) => step && <span key={step.day}>{dayInWords(step.day)}</span>)
          : steps.map(({ day }) => <span key={day}>{dayInWords(day)}</span>)}
      </div>
      <details className="insights-table">
        <summary>{insightsTexts.asTable}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{are === 'days' ? insightsTexts.day : insightsTexts.week}</th>
              <th scope="col">{insightsTexts.number}</th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{longDayInWords(day)}</th>
                <td>{inWords(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}

/** The next number that is easily read, and of which the half is whole. */
function roundUp(most: number): number {
  if (most <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(most))
  const found = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((times) => times * power >= most) ?? 10
  const top = Math.round(found * power)
  return top % 2 === 0 ? top : top + 1
}
