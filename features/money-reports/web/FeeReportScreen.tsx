import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Select } from '../../../web/ui/Choice.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { feeReport, feeReportCsv } from '../contract.ts'
import { FeeSlideOut } from './FeeSlideOut.tsx'
import { centsColumn as cents } from './cents-column.ts'
import { companyOf, type Filter as ReportFilter, periodOf, ReportFilters, start } from './report-filters.tsx'

type Row = AnswerOf<typeof feeReport>['rows'][number]
type Filter = ReportFilter | 'absorbFee' | 'countedBy'
const sorts = ['name', 'amount', 'fees'] as const

/** Absorb fee options (specification 9.5). */
const absorbOf = ({ absorbFee }: { absorbFee: string }): '0' | '1' | undefined =>
  absorbFee === '1' || absorbFee === '0' ? absorbFee : undefined

const countedByOf = ({ countedBy }: { countedBy: string }): 'payment' | 'money' =>
  countedBy === 'money' ? 'money' : 'payment'

const asked = ({ filters, sort, ...question }: TableQuestion<Filter>) => ({
  ...question,
  sort: sorts.find((one) => one === sort) ?? 'name',
  filters: {
    ...periodOf(filters),
    companyId: companyOf(filters),
    absorbFee: absorbOf(filters),
    countedBy: countedByOf(filters),
  },
})

/** What the convenience fees of each company came to (specification 2.12, 2.18). */
export default function FeeReportScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({
    sort: 'name',
    direction: 'asc',
    filters: { ...start, absorbFee: '', countedBy: 'payment' },
  })
  const { filters } = state.question
  const columns = useColumns()
  const open = companyOf({ companyId: useQueryParam('of') ?? '' })
  const show = ({ id }: { id: number }) => setQuery({ of: String(id) })
  return (
    <>
      <DataTable
        name="fee-report"
        title={t`Convenience Fee Report`}
        state={state}
        queryKey={[feeReport.path]}
        load={(question, signal) => call(feeReport, asked(question), signal && { signal })}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        noun={(n) => (n === 1 ? t`company` : t`companies`)}
        searchable={false}
        actions={{ view: show }}
        onRow={show}
        totals={({ amountCents, feeCents, totalCents }) => [
          { label: t`Total Amount:`, column: 'amount', cents: amountCents },
          { label: t`Total Fees:`, column: 'net', cents: feeCents },
          { label: t`Total Payment:`, column: 'total', cents: totalCents },
        ]}
        {...(may('reports_admin', 'create') && {
          onExport: (question: TableQuestion<Filter>) => download(feeReportCsv, asked(question)),
        })}
        filters={
          <ReportFilters filters={filters} onChange={state.setFilters}>
            <Select
              label={<Trans>Absorb</Trans>}
              value={filters.absorbFee}
              onChange={({ target }) => state.setFilters({ absorbFee: target.value })}
              className="md:min-w-40"
              options={[
                { value: '', label: t`Yes and No` },
                { value: '1', label: t`Yes` },
                { value: '0', label: t`No` },
              ]}
            />
            <Select
              label={<Trans>Counted on the day of</Trans>}
              value={countedByOf(filters)}
              onChange={({ target }) => state.setFilters({ countedBy: target.value })}
              className="md:min-w-48"
              options={[
                { value: 'payment', label: t`The payment` },
                { value: 'money', label: t`The money’s movement` },
              ]}
            />
          </ReportFilters>
        }
      >
        <p className="mb-4 max-w-text text-muted text-sm">
          <Trans>
            From the ledger, by each municipality’s own days. Counted by the payment, refunds and returns are taken off
            the day of the payment that they take back, as in the Payment Transaction Report; counted by the money’s
            movement, off the day on which they happened, as at the bank. Absorb goes by who bore the fee of a payment
            when it was made, not by today’s setting.
          </Trans>
        </p>
      </DataTable>
      {open !== undefined && (
        <FeeSlideOut
          companyId={open}
          period={periodOf(filters)}
          absorbFee={absorbOf(filters)}
          countedBy={countedByOf(filters)}
          onClose={() => setQuery({ of: null })}
        />
      )}
    </>
  )
}

const hidden = { hidden: true }

const count = (id: string, header: string, of: (row: Row) => number, more: Partial<TableColumn<Row>> = {}) => ({
  ...{ id, header, align: 'end' as const, cell: (row: Row) => of(row).toLocaleString('en-US') },
  ...more,
})

function useColumns(): readonly TableColumn<Row>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'name', header: t`Company`, sort: 'name', primary: true, cell: ({ name }) => <strong>{name}</strong> },
      count('payments', t`Payments`, (row) => row.payments),
      cents('amount', t`Amount`, (row) => row.amountCents, { sort: 'amount' }),
      cents('paid', t`Fees paid`, (row) => row.paidCents),
      cents('absorbed', t`Fees absorbed`, (row) => row.absorbedCents),
      cents('back', t`Given back`, (row) => row.backCents),
      cents('net', t`Net fees`, (row) => row.feeCents, { sort: 'fees' }),
      cents('total', t`Payment`, (row) => row.totalCents),
      count('card-payments', t`Card payments`, ({ card }) => card.payments, hidden),
      cents('card-amount', t`Card amount`, ({ card }) => card.amountCents, hidden),
      cents('card-fees', t`Card fees`, ({ card }) => card.feeCents, hidden),
      count('echeck-payments', t`eCheck payments`, ({ echeck }) => echeck.payments, hidden),
      cents('echeck-amount', t`eCheck amount`, ({ echeck }) => echeck.amountCents, hidden),
      cents('echeck-fees', t`eCheck fees`, ({ echeck }) => echeck.feeCents, hidden),
      { id: 'now', header: t`Absorbs now`, ...hidden, cell: ({ absorbsNow }) => (absorbsNow ? t`Yes` : t`No`) },
    ],
    [t],
  )
}
