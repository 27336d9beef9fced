import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { formatShortDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { call } from '../../../web/call.ts'
import { keyOf, queries } from '../../../web/query.ts'
import { Notice } from '../../../web/ui/Notice.tsx'
import { BarChart } from '../../../web/ui/office/chart/BarChart.tsx'
import { FiguresTable } from '../../../web/ui/office/chart/Figures.tsx'
import { Failed, LoadingState } from '../../../web/ui/States.tsx'
import { profitMonths } from '../contract.ts'
import { dollarsAt, fullMonth, shortMonth } from './labels.ts'

interface Props {
  period: { fromDate: string; toDate: string }
  company: number | undefined
}

/**
 * Table of the revenue and expense accounts with a row for each month, for one company or for all companies together.
 */
export function ProfitMonths({ period, company }: Props) {
  const question = { ...period, company }
  const { data, error, isPending, refetch } = useQuery(
    { queryKey: keyOf(profitMonths, question), queryFn: ({ signal }) => call(profitMonths, question, { signal }) },
    queries,
  )
  const [from, to] = [formatShortDate(period.fromDate), formatShortDate(period.toDate)]
  return (
    <>
      <p className="mb-4 text-muted">
        <Trans>
          {from} to {to}. The first and last months include only days in this range.
        </Trans>
      </p>
      {isPending && (
        <LoadingState shape="block">
          <Trans>Loading monthly totals</Trans>
        </LoadingState>
      )}
      {error && !data && <Failed error={error} onRetry={() => void refetch()} />}
      {data && <Months {...data} />}
    </>
  )
}

function Months({ months, accounts, revenue, expense, net, totals }: ResponseOf<typeof profitMonths>) {
  const { t } = useLingui()
  const silent = accounts.filter(({ moved, kind }) => !moved && kind === 'expense')
  const names = new Intl.ListFormat('en-US').format(silent.map(({ name }) => name))
  const sum = formatCents(totals.netCents)
  return (
    <>
      <h3 className="mb-2 text-lg">
        <Trans>Revenue and expenses by month</Trans>
      </h3>
      <BarChart
        summary={t`Revenue above the line and expenses below it, by month. The net is ${sum}. The table below has the figures.`}
        points={months.map((month) => ({ label: shortMonth(month), name: fullMonth(month) }))}
        series={[
          { id: 'revenue', label: t`Revenue`, values: revenue },
          { id: 'expense', label: t`Expenses`, values: expense.map((cents) => 0 - cents) },
        ]}
        format={dollarsAt}
      />
      <div className="mt-4">
        <FiguresTable
          caption={t`Ledger accounts by month`}
          head={t`Month`}
          columns={[...accounts.map(({ name }) => name), t`Net`]}
          rows={months.map((month, n) => ({
            name: fullMonth(month),
            cells: [...accounts.map(({ cents }) => formatCents(cents[n] ?? 0)), formatCents(net[n] ?? 0)],
          }))}
          totals={[...accounts.map(({ totalCents }) => formatCents(totalCents)), sum]}
        />
      </div>
      {silent.length > 0 && (
        <Notice className="mt-4">
          <Trans>
            No amounts are recorded in {names} for this period. The net does not include costs that the ledger does not
            record yet, such as the payment provider’s charges.
          </Trans>
        </Notice>
      )}
    </>
  )
}
