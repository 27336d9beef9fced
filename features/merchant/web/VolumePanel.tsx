import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { translated } from '../../../shared/messages.ts'
import { Panel } from '../../../web/ui/Card.tsx'
import { Link } from '../../../web/ui/Link.tsx'
import { BarChart } from '../../../web/ui/office/chart/BarChart.tsx'
import { Figures, FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { locations } from '../../payments/rules.ts'
import type { Volume } from '../contract.ts'
import { barsOf, merchantMethodLabels, monthName } from '../rules.ts'
import type { PartProps } from './parts.ts'
import { count, dollarsAt, paymentsOf } from './labels.ts'

/** Payments by day, payment method and location. */
export function VolumePanel({ data }: PartProps) {
  const { t } = useLingui()
  const { period } = data
  const { now, before } = data.volume
  const name = (at: string) =>
    barsOf(period) === 'day'
      ? formatShortDate(at)
      : `${monthName(Number(at.slice(5)) - 1).slice(0, 3)} ${at.slice(0, 4)}`
  const short = (at: string) => name(at).replace(/,? \d{4}$/, '')
  const series = [
    { id: 'card', label: t`Card`, values: data.points.map((point) => point.cardCents) },
    { id: 'echeck', label: t`eCheck`, values: data.points.map((point) => point.echeckCents) },
    { id: 'office', label: t`Office and bank`, values: data.points.map((point) => point.officeCents) },
  ]
  return (
    <Panel
      id="volume"
      title={<Trans>Payments received</Trans>}
      aside={
        <Link className="link" to={paymentsOf(period)}>
          <Trans>All payments in this period</Trans>
        </Link>
      }
    >
      <p className="mb-3">
        <Trans>
          <strong>{formatCents(now.grossCents)}</strong> in{' '}
          <Plural value={now.payments} one="# payment" other="# payments" />, including fees. Previous period:{' '}
          {formatCents(before.grossCents)} in <Plural value={before.payments} one="# payment" other="# payments" />.
        </Trans>
      </p>
      <BarChart
        summary={t`Payments received by card, by eCheck, and through the office or bank: ${formatCents(now.grossCents)} total. The tables below have the figures.`}
        points={data.points.map(({ at }) => ({ label: short(at), name: name(at) }))}
        series={series}
        format={dollarsAt}
      />
      <Figures
        caption={barsOf(period) === 'day' ? t`Payments by day` : t`Payments by month`}
        head={barsOf(period) === 'day' ? t`Day` : t`Month`}
        columns={series.map(({ label }) => label)}
        rows={data.points.map((point) => ({
          name: name(point.at),
          cells: [point.cardCents, point.echeckCents, point.officeCents].map(formatCents),
        }))}
      />
      <h3 className="mt-6 mb-2 text-lg">
        <Trans>By payment method</Trans>
      </h3>
      <Volumes
        caption={t`By payment method`}
        head={t`Method`}
        rows={data.methods.map(({ method, ...both }) => ({
          name: translated(merchantMethodLabels[method as keyof typeof merchantMethodLabels] ?? ''),
          ...both,
        }))}
        total={now}
      />
      <h3 className="mt-6 mb-2 text-lg">
        <Trans>By location</Trans>
      </h3>
      <Volumes
        caption={t`By location`}
        head={t`Location`}
        rows={data.locations.map(({ location, ...both }) => ({
          name: translated(locations[location as keyof typeof locations] ?? ''),
          ...both,
        }))}
        total={now}
      />
    </Panel>
  )
}

/** Maximum number of figure columns that fit on a screen 1280 px wide. */
const MAX_COLUMNS = 9

interface VolumesProps {
  caption: string
  head: string
  rows: readonly { name: string; now: Volume; before: Volume }[]
  total: Volume
}

function Volumes({ caption, head, rows, total }: VolumesProps) {
  const { t } = useLingui()
  // A column for a rare type of reversal appears only if it has amounts. This leaves room for the other columns.
  const columns = [
    { label: t`Payments`, of: (volume: Volume) => count(volume.payments) },
    { label: t`Amount`, of: (volume: Volume) => formatCents(volume.billCents) },
    { label: t`Fees`, of: (volume: Volume) => formatCents(volume.feeCents) },
    { label: t`Gross`, of: (volume: Volume) => formatCents(volume.grossCents) },
    { label: t`Refunded`, of: (volume: Volume) => formatCents(volume.refundedCents) },
    { label: t`Returned`, of: (volume: Volume) => formatCents(volume.returnedCents) },
    { label: t`Voided`, of: (volume: Volume) => formatCents(volume.voidedCents), leaveOut: total.voidedCents === 0 },
    {
      label: t`Other reversals`,
      of: (volume: Volume) => formatCents(volume.otherCents),
      leaveOut: total.otherCents === 0,
    },
    { label: t`Net`, of: (volume: Volume) => formatCents(volume.retainedCents) },
  ].filter(({ leaveOut }) => !leaveOut)
  const cells = (volume: Volume) => columns.map(({ of }) => of(volume))
  // With both rare columns, the column for the previous period does not fit at 1280 px. The summary above shows its
  // total instead.
  const hasBefore = columns.length < MAX_COLUMNS
  return (
    <FiguresTable
      caption={caption}
      head={head}
      columns={[...columns.map(({ label }) => label), ...(hasBefore ? [t`Gross, previous period`] : [])]}
      rows={rows.map(({ name, now, before }) => ({
        name,
        cells: [...cells(now), ...(hasBefore ? [formatCents(before.grossCents)] : [])],
      }))}
      totals={[
        ...cells(total),
        ...(hasBefore ? [formatCents(rows.reduce((sum, { before }) => sum + before.grossCents, 0))] : []),
      ]}
    />
  )
}
