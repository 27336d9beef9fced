import { Trans, useLingui } from '@lingui/react/macro'
import { addDays } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { boot } from '../../../../web/boot.ts'
import { sentenceOf } from '../../../../web/call.ts'
import { download } from '../../../../web/download.ts'
import { setQuery } from '../../../../web/go.ts'
import { useQueryParam } from '../../../../web/routes.tsx'
import { Button } from '../../../../web/ui/Button.tsx'
import { Select } from '../../../../web/ui/Choice.tsx'
import { DataTable } from '../../../../web/ui/office/DataTable.tsx'
import { DateRange } from '../../../../web/ui/office/DateRange.tsx'
import { type TableQuestion, type TableState, useTableState } from '../../../../web/ui/office/table/table-state.ts'
import { Notice } from '../../../../web/ui/Notice.tsx'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { paymentReceipt, paymentReport, paymentReportCsv } from '../../contract.ts'
import { locations, methodLabel, methods } from '../../rules.ts'
import { orderStatusLabels } from '../../states.ts'
import { useFreshPayments } from './fresh-payments.ts'
import { loadPayments } from './load-payments.ts'
import { PaymentSlideOut } from './PaymentSlideOut.tsx'
import { useReportColumns } from './report-columns.tsx'

type Filter = 'fromDate' | 'toDate' | 'status' | 'method' | 'location'
type Question = TableQuestion<Filter>

/** The usual range of the administrator's and the clerk's reports (specification 2.18). */
const USUAL_DAYS = 30

const numberIn = (text: string) => (/^\d{1,3}$/.test(text) ? Number(text) : undefined)

/** What stands in the address, as the call takes it. */
const asked = ({ sort, filters, ...question }: Question) => ({
  ...question,
  sort: sort === 'amount' ? ('amount' as const) : ('date' as const),
  filters: {
    fromDate: filters.fromDate || undefined,
    toDate: filters.toDate || undefined,
    status: numberIn(filters.status),
    method: numberIn(filters.method),
    location: numberIn(filters.location),
  },
})

const restOf = ({ amountCents, feeCents, totalCents }: Record<'amountCents' | 'feeCents' | 'totalCents', number>) => ({
  amount: amountCents,
  fee: feeCents,
  total: totalCents,
})

export const printReceipt = ({ id }: { id: number }): Promise<void> =>
  download(paymentReceipt, { paymentId: id }).catch((error: unknown) => toast(sentenceOf(error), 'danger'))

const open = (id: number | null) => setQuery({ payment: id === null ? null : String(id) })

/** Every payment of the town, as it comes (specification 2.3, 2.19). */
export default function PaymentReportScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({
    sort: 'date',
    direction: 'desc',
    filters: { fromDate: addDays(boot.today, -USUAL_DAYS), toDate: boot.today, status: '', method: '', location: '' },
  })
  const { sort, direction, cursor } = state.question
  const newestFirst = sort === 'date' && direction === 'desc' && !cursor
  const { isFresh, saw, latest, waiting } = useFreshPayments(newestFirst)
  const columns = useReportColumns(isFresh)
  const chosen = numberOf(useQueryParam('payment'))

  const load = async (question: Question, signal: AbortSignal | undefined) => {
    const answer = await loadPayments(asked(question), signal)
    saw(answer.rows)
    return answer
  }
  return (
    <>
      <DataTable
        name="payments"
        title={t`Payment Transaction Report`}
        state={state}
        queryKey={[paymentReport.path]}
        load={load}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ receipt }) => receipt}
        noun={(n) => (n === 1 ? t`payment` : t`payments`)}
        searchLabel={t`Search`}
        actions={{ view: ({ id }) => open(id), printReceipt: (row) => void printReceipt(row) }}
        onRow={({ id }) => open(id)}
        totals={({ amountCents, feeCents, totalCents }) => [
          { label: t`Total Amount:`, column: 'amount', cents: amountCents },
          { label: t`Total Fees:`, column: 'fee', cents: feeCents },
          { label: t`Total Payment:`, column: 'total', cents: totalCents },
        ]}
        rest={(totals) => [
          { label: t`Refunded:`, cents: restOf(totals.refunded) },
          { label: t`Returned:`, cents: restOf(totals.returned) },
          { label: t`Voided:`, cents: restOf(totals.voided) },
          { label: t`Declined or pending:`, cents: restOf(totals.unpaid) },
          ...(totals.other.totalCents === 0
            ? []
            : [{ label: t`Taken back in other ways:`, cents: restOf(totals.other) }]),
        ]}
        onExport={(question) => download(paymentReportCsv, asked(question))}
        filters={<Filters state={state} />}
      >
        <p role="status" className="spoken">
          {latest && (
            <Trans>
              New payment {latest.receipt}: {formatCents(latest.totalCents)} from {latest.payer}, {latest.paymentStatus}
              .
            </Trans>
          )}
        </p>
        {waiting > 0 && <Waiting count={waiting} onShow={() => state.setSort('date', 'desc')} />}
      </DataTable>
      {chosen !== null && (
        <PaymentSlideOut id={chosen} onClose={() => open(null)} onPrint={() => void printReceipt({ id: chosen })} />
      )}
    </>
  )
}

const numberOf = (text: string | null): number | null =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null

const Waiting = ({ count, onShow }: { count: number; onShow: () => void }) => (
  <Notice className="mb-4">
    <span className="flex flex-wrap items-center justify-between gap-3">
      <span role="status">
        {count === 1 ? <Trans>A new payment came in.</Trans> : <Trans>{count} new payments came in.</Trans>}
      </span>
      <Button size="small" onClick={onShow}>
        <Trans>Show the newest first</Trans>
      </Button>
    </span>
  </Notice>
)

function Filters({ state: { question, setFilters } }: { state: TableState<Filter> }) {
  const { t } = useLingui()
  const { filters } = question
  const select = (name: Filter) => ({
    value: filters[name],
    onChange: ({ target }: { target: HTMLSelectElement }) => setFilters({ [name]: target.value }),
    className: 'md:min-w-40',
  })
  const entries = (from: Record<number, string>, all: string) => [
    { value: '', label: all },
    ...Object.entries(from).map(([value, label]) => ({ value, label })),
  ]
  return (
    <>
      <DateRange
        className="sm:max-md:col-span-2"
        label={<Trans>Date range</Trans>}
        from={filters.fromDate}
        to={filters.toDate}
        onChange={({ from, to }) => setFilters({ fromDate: from, toDate: to })}
      />
      <Select
        label={<Trans>Status</Trans>}
        {...select('status')}
        options={entries(orderStatusLabels, t`All statuses`)}
      />
      <Select
        label={<Trans>Method</Trans>}
        {...select('method')}
        options={entries(
          { [methods.card]: methodLabel(methods.card), [methods.echeck]: methodLabel(methods.echeck) },
          t`All methods`,
        )}
      />
      <Select label={<Trans>Location</Trans>} {...select('location')} options={entries(locations, t`All locations`)} />
    </>
  )
}
