import { useId } from 'react'
import { useNarrow } from '../table/use-narrow.ts'
import { fillOf, Legend, Patterns } from './patterns.tsx'
import { named, ticksFor } from './ticks.ts'

export interface ChartPoint {
  /** Under its bar, if there is room: 'Nov 3'. */
  label: string
  /** In full, where somebody points at it, and in the table: 'Nov 3, 2026'. */
  name: string
}

export interface ChartSeries {
  id: string
  label: string
  /** For each point, in their order. */
  values: readonly number[]
}

export interface BarChartProps {
  points: readonly ChartPoint[]
  /** Stacked on each other; what is below zero hangs below the line. */
  series: readonly ChartSeries[]
  /** A value as people read it, at the lines and at the bars. */
  format: (value: number) => string
  /** What the picture says, in a sentence. The figures themselves stand in a table beside it. */
  summary: string
  /** Side by side rather than stacked, to be compared. */
  beside?: boolean
}

const [PLOT, ABOVE, BELOW] = [190, 22, 30]

/** Bars over time. Places are percentages, so that it is as wide as its place and its letters keep their size. */
export function BarChart({ points, series, format, summary, beside = false }: BarChartProps) {
  const id = useId()
  const stacks = points.map((_, n) => (beside ? rowOf(series, n) : stackOf(series, n)))
  const ticks = ticksFor(Math.min(...stacks.map(({ low }) => low)), Math.max(...stacks.map(({ high }) => high)))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const y = (value: number) => ABOVE + ((high - value) / (high - low)) * PLOT
  const band = 100 / points.length
  const width = band * (points.length > 40 ? 0.8 : 0.66)
  const columns = beside ? series.length : 1
  // Room for so many names of days on a phone and on a desk; those of months are short.
  const narrow = useNarrow()
  const long = points.some(({ label }) => label.length > 4)
  const shown = named(points.length, long ? (narrow ? 3 : 5) : 6)
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
              {shown.has(n) && (
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

/** Bars that stand side by side, each from zero. */
function rowOf(series: readonly ChartSeries[], point: number) {
  const values = series.map((one) => one.values[point] ?? 0)
  const parts = values.flatMap((to, nth) => (to === 0 ? [] : [{ from: 0, to, nth }]))
  return { low: Math.min(0, ...values), high: Math.max(0, ...values), parts }
}

/** The parts of one bar, from zero up and from zero down. */
function stackOf(series: readonly ChartSeries[], point: number) {
  let [low, high] = [0, 0]
  const parts: { from: number; to: number; nth: number }[] = []
  for (const [nth, { values }] of series.entries()) {
    const value = values[point] ?? 0
    if (value === 0) continue
    const from = value > 0 ? high : low
    parts.push({ from, to: from + value, nth })
    if (value > 0) high += value
    else low += value
  }
  return { low, high, parts }
}
