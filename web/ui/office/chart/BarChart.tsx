import { useId } from 'react'
import { useNarrow } from '../table/use-narrow.ts'
import { fillOf, Legend, Patterns } from './patterns.tsx'
import { named, ticksFor } from './ticks.ts'

export interface ChartPoint {
  /** Label below the bar, if space permits: 'Nov 3'. */
  label: string
  /** Full label, for the tooltip and the table: 'Nov 3, 2026'. */
  name: string
}

export interface ChartSeries {
  id: string
  label: string
  /** One value for each point, in order. */
  values: readonly number[]
}

export interface BarChartProps {
  points: readonly ChartPoint[]
  /** Data series, stacked in each bar. Negative values are below the zero line. */
  series: readonly ChartSeries[]
  /** Formats a value for grid lines and bars. */
  format: (value: number) => string
  /** Summary of the chart in one sentence, for screen readers. The table next to the chart has the figures. */
  summary: string
  /** True if the bars are side by side for comparison, instead of stacked. */
  beside?: boolean
}

const [PLOT, ABOVE, BELOW] = [190, 22, 30]

/**
 * Bar chart over time. Horizontal positions are percentages, so that the chart fits its container and the text keeps
 * its size.
 */
export function BarChart({ points, series, format, summary, beside = false }: BarChartProps) {
  const id = useId()
  const stacks = points.map((_, n) => (beside ? rowOf(series, n) : stackOf(series, n)))
  const ticks = ticksFor(Math.min(...stacks.map(({ low }) => low)), Math.max(...stacks.map(({ high }) => high)))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const y = (value: number) => ABOVE + ((high - value) / (high - low)) * PLOT
  const band = 100 / points.length
  const width = band * (points.length > 40 ? 0.8 : 0.66)
  const columns = beside ? series.length : 1
  // For long labels, such as days, a phone has space for three and a desktop for five. For short labels, such as
  // months, both have space for six.
  const narrow = useNarrow()
  const long = points.some(({ label }) => label.length > 4)
  const visible = named(points.length, long ? (narrow ? 3 : 5) : 6)
  const largest = stacks.reduce((best, { high: top }, n) => (top > (stacks[best]?.high ?? 0) ? n : best), 0)
  const gutter = Math.max(...ticks.map((tick) => format(tick).length)) * 8 + 12
  return (
    <>
      {series.length > 1 && <Legend id={id} labels={series.map(({ label }) => label)} />}
      <div className="chart" style={{ paddingInlineStart: gutter }}>
        <svg
          role="img"
          aria-label={summary}
          width="100%"
          height={ABOVE + PLOT + BELOW}
          className="block text-xs tabular-nums"
        >
          <Patterns id={id} />
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1="0" x2="100%" y1={y(tick)} y2={y(tick)} className={tick === 0 ? 'stroke-ink' : 'stroke-line'} />
              <text x={-8} y={y(tick)} dy="0.32em" textAnchor="end" className="fill-muted">
                {format(tick)}
              </text>
            </g>
          ))}
          {points.map(({ label, name }, n) => (
            <g key={name}>
              <title>{`${name}: ${series.map((one) => `${series.length > 1 ? `${one.label} ` : ''}${format(one.values[n] ?? 0)}`).join(', ')}`}</title>
              {stacks[n]?.parts.map(({ from, to, nth }) => (
                <rect
                  key={nth}
                  x={`${n * band + (band - width) / 2 + (beside ? (nth * width) / columns : 0)}%`}
                  width={`${width / columns}%`}
                  y={y(Math.max(from, to))}
                  height={Math.abs(y(from) - y(to))}
                  fill={fillOf(id, nth)}
                  className="stroke-link"
                  strokeWidth={points.length > 40 ? 0.5 : 1}
                />
              ))}
              {visible.has(n) && (
                <text
                  x={`${(n + 0.5) * band}%`}
                  y={ABOVE + PLOT + 20}
                  textAnchor={n === points.length - 1 && points.length > 12 ? 'end' : 'middle'}
                  className="fill-ink"
                >
                  {label}
                </text>
              )}
            </g>
          ))}
          {(stacks[largest]?.high ?? 0) > 0 && (
            <text
              x={`${(largest + 0.5) * band}%`}
              y={y(stacks[largest]?.high ?? 0) - 6}
              textAnchor={largest < points.length * 0.1 ? 'start' : largest > points.length * 0.9 ? 'end' : 'middle'}
              className="fill-ink font-bold"
            >
              {format(stacks[largest]?.high ?? 0)}
            </text>
          )}
        </svg>
      </div>
    </>
  )
}

/** Returns the bars of one point. They are side by side, and each starts at zero. */
function rowOf(series: readonly ChartSeries[], point: number) {
  const values = series.map((one) => one.values[point] ?? 0)
  const parts = values.flatMap((to, index) => (to === 0 ? [] : [{ from: 0, to, nth: index }]))
  return { low: Math.min(0, ...values), high: Math.max(0, ...values), parts }
}

/** Returns the parts of one bar, stacked upward and downward from zero. */
function stackOf(series: readonly ChartSeries[], point: number) {
  let [low, high] = [0, 0]
  const parts: { from: number; to: number; nth: number }[] = []
  for (const [index, { values }] of series.entries()) {
    const value = values[point] ?? 0
    if (value === 0) continue
    const from = value > 0 ? high : low
    parts.push({ from, to: from + value, nth: index })
    if (value > 0) high += value
    else low += value
  }
  return { low, high, parts }
}
