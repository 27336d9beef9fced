import { Trans, useLingui } from '@lingui/react/macro'
import type { FeeProgram } from '../../payments/rules-fees.ts'
import { useQuery } from '@tanstack/react-query'
import { addDays, daysBetween, formatShortDate } from '../../../shared/dates.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { keyOf, queries } from '../../../web/query.ts'
import { DetailList } from '../../../web/ui/Card.tsx'
import { CloseAction, SlideOut } from '../../../web/ui/Dialog.tsx'
import { BarChart } from '../../../web/ui/office/chart/BarChart.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { EmptyState, Failed, LoadingState } from '../../../web/ui/States.tsx'
import { feeDays } from '../contract.ts'
import { useCompanyName } from './company-name.ts'
import { dollarsAt } from './labels.ts'

interface Props {
  companyId: number
  period: { fromDate: string; toDate: string }
  absorbFee: '0' | '1' | undefined
  program: FeeProgram | undefined
  countedBy: 'payment' | 'money'
  onClose: () => void
}

/** Panel with one company's fees by day, for cards and eChecks. */
export function FeeSlideOut({ companyId, period, absorbFee, program, countedBy, onClose }: Props) {
  const { t } = useLingui()
  const question = { companyId, ...period, absorbFee, program, countedBy }
  const { data, error, isPending, refetch } = useQuery(
    { queryKey: keyOf(feeDays, question), queryFn: ({ signal }) => call(feeDays, question, { signal }) },
    queries,
  )
  const name = useCompanyName(companyId)
  const [from, to] = [formatShortDate(period.fromDate), formatShortDate(period.toDate)]
  return (
    <SlideOut
      title={name ? t`Fees for ${name}` : t`Fees`}
      onClose={onClose}
      actions={<CloseAction onClose={onClose} />}
    >
      <p className="mb-4 text-muted">
        <Trans>
          {from} to {to}
        </Trans>
      </p>
      {isPending && (
        <LoadingState shape="block">
          <Trans>Loading daily fees</Trans>
        </LoadingState>
      )}
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {data && data.days.length === 0 && (
        <EmptyState title={<Trans>No activity in this period</Trans>}>
          <Trans>Choose another period, or remove the Absorb filter.</Trans>
        </EmptyState>
      )}
      {data && data.days.length > 0 && <Days {...data} period={period} />}
    </SlideOut>
  )
}

function Days({ days, totals, period }: ResponseOf<typeof feeDays> & Pick<Props, 'period'>) {
  const { t } = useLingui()
  const byDay = new Map(days.map((day) => [day.day, day]))
  const all = Array.from({ length: daysBetween(period.fromDate, period.toDate) + 1 }, (_, n) =>
    addDays(period.fromDate, n),
  )
  const net = formatCents(totals.feeCents)
  const oneYear = period.fromDate.slice(0, 4) === period.toDate.slice(0, 4)
  const short = (day: string) => formatShortDate(day).replace(/, \d+$/, '')
  return (
    <>
      <DetailList
        className="mb-5 tabular-nums"
        details={[
          [t`Payments`, totals.payments.toLocaleString('en-US')],
          [t`Amount`, formatCents(totals.amountCents)],
          [t`Fees paid`, formatCents(totals.paidCents)],
          [t`Fees absorbed`, formatCents(totals.absorbedCents)],
          [t`Refunded`, formatCents(totals.refundCents)],
          [t`Net fees`, <strong key="net">{net}</strong>],
        ]}
      />
      <h3 className="mb-2 text-lg">
        <Trans>Net fees by day</Trans>
      </h3>
      <BarChart
        summary={t`Net fees by day, for card and eCheck: ${net} total. The table below has the figures.`}
        points={all.map((day) => ({ label: short(day), name: formatShortDate(day) }))}
        series={[
          { id: 'card', label: t`Card`, values: all.map((day) => byDay.get(day)?.card.feeCents ?? 0) },
          { id: 'echeck', label: t`eCheck`, values: all.map((day) => byDay.get(day)?.echeck.feeCents ?? 0) },
        ]}
        format={dollarsAt}
      />
      <div className="mt-4">
        <FiguresTable
          caption={t`Fees by day`}
          head={t`Day`}
          columns={[t`Net fees`, t`Card fees`, t`eCheck fees`, t`Payments`, t`Amount`]}
          rows={days.map(({ day, payments, amountCents, card, echeck, feeCents }) => ({
            name: oneYear ? short(day) : formatShortDate(day),
            cells: [
              ...[feeCents, card.feeCents, echeck.feeCents].map(formatCents),
              payments.toLocaleString('en-US'),
              formatCents(amountCents),
            ],
          }))}
          totals={[
            ...[totals.feeCents, totals.card.feeCents, totals.echeck.feeCents].map(formatCents),
            totals.payments.toLocaleString('en-US'),
            formatCents(totals.amountCents),
          ]}
        />
      </div>
    </>
  )
}
