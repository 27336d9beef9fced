import { Trans, useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { BarChart } from '../../../web/ui/office/chart/BarChart.tsx'
import { isStock, type MeasureName, partLabel } from '../rules.ts'
import { ChartPanel, type ChartProps } from './ChartPanel.tsx'
import { Change } from './Headlines.tsx'
import { partsOf, together } from './parts.ts'
import { RankBars } from './RankBars.tsx'
import { plain, pointLabels } from './labels.ts'
import { Text } from '../../../web/ui/Text.tsx'

/** Builds the table of a measure, with a row for each point and a column for each part. */
function useFigures({ data }: ChartProps, measure: MeasureName, caption: string) {
  const { t } = useLingui()
  const parts = partsOf(data, measure)
  const all = together(parts, data.points.length)
  const several = parts.length > 1
  const points = data.points.map(pointLabels)
  return {
    parts,
    all,
    points,
    figures: {
      caption,
      head: data.query.by === 'day' ? t`Day` : t`Month`,
      columns: [...parts.map(({ part }) => partLabel(measure, part)), ...(several ? [t`All`] : [])],
      rows: points.map(({ name }, n) => ({
        name,
        cells: [...parts.map(({ counts }) => plain(counts[n] ?? 0)), ...(several ? [plain(all.counts[n] ?? 0)] : [])],
      })),
      // A snapshot measure (`stock`), such as support requests by state, has a value for each day. A sum over days has
      // no meaning.
      ...(!isStock(measure) && {
        totals: [...parts.map(({ count }) => plain(count)), ...(several ? [plain(all.count)] : [])],
      }),
    },
  }
}

interface OverTimeProps extends ChartProps {
  id: string
  measure: MeasureName
  title: string
  summary: (count: string) => string
  none: ReactNode
}

/** Shows a measure as bars over the period. */
export function OverTime({ id, measure, title, summary, none, ...props }: OverTimeProps) {
  const { parts, all, points, figures } = useFigures(props, measure, title)
  return (
    <ChartPanel
      id={id}
      title={title}
      measure={measure}
      figures={figures}
      query={props.data.query}
      empty={all.count === 0 && none}
    >
      <BarChart
        summary={summary(plain(all.count))}
        points={points}
        series={parts.map(({ part, counts }) => ({ id: part, label: partLabel(measure, part), values: counts }))}
        format={plain}
      />
    </ChartPanel>
  )
}

export function SignUpsChart(props: ChartProps) {
  const { t } = useLingui()
  return (
    <OverTime
      {...props}
      id="sign-ups"
      measure="sign_ups"
      title={t`New residents`}
      summary={(count) => t`Resident sign-ups over time: ${count}. The table below has the figures.`}
      none={<Trans>No one signed up in this period.</Trans>}
    />
  )
}

export function SignInsChart(props: ChartProps) {
  const { t } = useLingui()
  return (
    <OverTime
      {...props}
      id="sign-ins"
      measure="sign_ins"
      title={t`Sign-ins by method`}
      summary={(count) =>
        t`Sign-ins over time by method. Number of sign-ins: ${count}. The table below has the figures.`
      }
      none={<Trans>No one signed in during this period.</Trans>}
    />
  )
}

/** Shows the current and the earlier value of each part. */
export function ByKind({ id, measure, title, none, ...props }: Omit<OverTimeProps, 'summary'>) {
  const { parts, all, figures } = useFigures(props, measure, title)
  return (
    <ChartPanel
      id={id}
      title={title}
      measure={measure}
      figures={figures}
      query={props.data.query}
      empty={all.count === 0 && none}
    >
      <RankBars
        ranks={parts.map(({ part, count, before }) => ({
          id: part,
          label: partLabel(measure, part),
          value: count,
          text: (
            <span className="flex flex-wrap items-baseline gap-x-3">
              <Text>{plain(count)}</Text>
              <span className="font-normal">
                <Change now={count} before={before.count} comparable={props.data.before.counted} />
              </span>
            </span>
          ),
        }))}
      />
    </ChartPanel>
  )
}

export function FailuresChart(props: ChartProps) {
  const { t } = useLingui()
  return (
    <ByKind
      {...props}
      id="failures"
      measure="failures"
      title={t`Failures by type`}
      none={<Trans>No failures in this period.</Trans>}
    />
  )
}
