import { Trans, useLingui } from '@lingui/react/macro'
import { formatCents } from '../../../shared/money.ts'
import { BarChart } from '../../../web/ui/office/chart/BarChart.tsx'
import { locations, methodLabel, methodLabels } from '../../payments/rules.ts'
import { ChartPanel, type ChartProps } from './ChartPanel.tsx'
import { partsOf, together } from './parts.ts'
import { RankBars } from './RankBars.tsx'
import { dollarsAt, plain, pointLabels } from './labels.ts'

const METHODS = Object.keys(methodLabels).map(Number)

export function PaymentsChart({ data }: ChartProps) {
  const { t } = useLingui()
  const parts = partsOf(data, 'payments')
  const all = together(parts, data.points.length)
  const byMethod = METHODS.map((method) =>
    together(
      parts.filter(({ part }) => part.endsWith(`:${method}`)),
      data.points.length,
    ),
  )
  const points = data.points.map(pointLabels)
  const [count, cents] = [plain(all.count), formatCents(all.cents)]
  return (
    <ChartPanel
      id="payments"
      title={t`Payments over time`}
      query={data.query}
      measure="payments"
      empty={all.count === 0 && <Trans>No payments in this period.</Trans>}
      figures={{
        caption: t`Payments over time`,
        head: data.query.by === 'day' ? t`Day` : t`Month`,
        columns: [t`Payments`, ...METHODS.map(methodLabel), t`Paid`],
        rows: points.map(({ name }, n) => ({
          name,
          cells: [
            plain(all.counts[n] ?? 0),
            ...byMethod.map(({ centsAt }) => formatCents(centsAt[n] ?? 0)),
            formatCents(all.centsAt[n] ?? 0),
          ],
        })),
        totals: [count, ...byMethod.map((method) => formatCents(method.cents)), cents],
      }}
    >
      <BarChart
        summary={t`Payments over time by payment method. Number of payments: ${count}. Total: ${cents}. The table below has the figures.`}
        points={points}
        series={METHODS.map((method, n) => ({
          id: String(method),
          label: methodLabel(method),
          values: byMethod[n]?.centsAt ?? [],
        }))}
        format={dollarsAt}
      />
    </ChartPanel>
  )
}

/** Shows payments by location (spec 9.5) and payment method. */
export function ChannelsChart({ data }: ChartProps) {
  const { t } = useLingui()
  const parts = partsOf(data, 'payments')
  const channels = Object.entries(locations).flatMap(([location, label]) => {
    const ownParts = parts.filter(({ part }) => part.startsWith(`${location}:`))
    return ownParts.length === 0 ? [] : [{ location, label, ownParts, ...together(ownParts, data.points.length) }]
  })
  const here = channels.filter(({ count, cents }) => count > 0 || cents > 0)
  const rows = here.flatMap(({ label, ownParts }) =>
    ownParts.map(({ part, count, cents }) => ({
      name: `${label}, ${methodLabel(Number(part.split(':')[1]))}`,
      cells: [plain(count), formatCents(cents)],
    })),
  )
  const all = together(parts, data.points.length)
  return (
    <ChartPanel
      id="channels"
      title={t`Payments by channel`}
      query={data.query}
      measure="payments"
      empty={here.length === 0 && <Trans>No payments in this period.</Trans>}
      figures={{
        caption: t`Payments by channel and method`,
        head: t`Channel and method`,
        columns: [t`Payments`, t`Paid`],
        rows,
        totals: [plain(all.count), formatCents(all.cents)],
      }}
    >
      <RankBars
        ranks={here.map(({ location, label, count, cents }) => ({
          id: location,
          label,
          value: count,
          text: (
            <Trans>
              {plain(count)} · {formatCents(cents)}
            </Trans>
          ),
        }))}
      />
    </ChartPanel>
  )
}
