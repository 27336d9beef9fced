import { Trans, useLingui } from '@lingui/react/macro'
import { useMemo } from 'react'
import type { AnswerOf } from '../../../shared/endpoint.ts'
import { call } from '../../../web/call.ts'
import { download } from '../../../web/download.ts'
import { setQuery } from '../../../web/go.ts'
import { useQueryParam } from '../../../web/routes.tsx'
import { may } from '../../../web/session.ts'
import { Button } from '../../../web/ui/Button.tsx'
import { SlideOut } from '../../../web/ui/Dialog.tsx'
import { DataTable } from '../../../web/ui/office/DataTable.tsx'
import type { TableColumn } from '../../../web/ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../../../web/ui/office/table/table-state.ts'
import { profitReport, profitReportCsv } from '../contract.ts'
import { centsColumn as cents } from './cents-column.ts'
import { useCompanyName } from './company-name.ts'
import { ProfitMonths } from './ProfitMonths.tsx'
import { companyOf, type Filter, periodOf, ReportFilters, start } from './report-filters.tsx'

type Row = AnswerOf<typeof profitReport>['rows'][number]
const sorts = ['name', 'revenue', 'net'] as const

const asked = ({ filters, sort, ...question }: TableQuestion<Filter>) => ({
  ...question,
  sort: sorts.find((one) => one === sort) ?? 'name',
  filters: { ...periodOf(filters), companyId: companyOf(filters) },
})

/** What the provider earned by each company and in each month (specification 2.12). */
export default function ProfitReportScreen() {
  const { t } = useLingui()
  const state = useTableState<Filter>({ sort: 'name', direction: 'asc', filters: start })
  const { filters } = state.question
  const columns = useColumns()
  const open = companyOf({ companyId: useQueryParam('of') ?? '' })
  const show = ({ id }: { id: number }) => setQuery({ of: String(id) })
  return (
    <>
      <DataTable
        name="profit-report"
        title={t`Profit and Loss Report`}
        state={state}
        queryKey={[profitReport.path]}
        load={(question, signal) => call(profitReport, asked(question), signal && { signal })}
        columns={columns}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        noun={(n) => (n === 1 ? t`company` : t`companies`)}
        searchable={false}
        actions={{ view: show }}
        onRow={show}
        totals={({ revenueCents, expenseCents, netCents }) => [
          { label: t`Total Revenue:`, column: 'revenue', cents: revenueCents },
          { label: t`Total Expenses:`, column: 'expenses', cents: expenseCents },
          { label: t`Total Net:`, column: 'net', cents: netCents },
        ]}
        {...(may('reports_admin', 'create') && {
          onExport: (question: TableQuestion<Filter>) => download(profitReportCsv, asked(question)),
        })}
        filters={<ReportFilters filters={filters} onChange={state.setFilters} />}
      >
        <p className="mb-4 max-w-text text-muted text-sm">
          <Trans>
            From the revenue and expense accounts of the ledger, by each municipality’s own days. A fee that a
            municipality absorbs is revenue and expense alike until the ledger records that it was billed.
          </Trans>
        </p>
      </DataTable>
      <section aria-labelledby="months" className="mt-8">
        <h2 id="months" className="mb-4">
          <Trans>Month by month</Trans>
        </h2>
        <ProfitMonths period={periodOf(filters)} company={companyOf(filters)} />
      </section>
      {open !== undefined && (
        <CompanySlideOut id={open} period={periodOf(filters)} onClose={() => setQuery({ of: null })} />
      )}
    </>
  )
}

interface SlideOutProps {
  id: number
  period: { fromDate: string; toDate: string }
  onClose: () => void
}

/** Each account of one company, each month. */
function CompanySlideOut({ id, period, onClose }: SlideOutProps) {
  const { t } = useLingui()
  const name = useCompanyName(id)
  return (
    <SlideOut
      title={name ? t`Profit and loss of ${name}` : t`Profit and loss`}
      onClose={onClose}
      actions={
        <Button onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      }
    >
      <ProfitMonths period={period} company={id} />
    </SlideOut>
  )
}

function useColumns(): readonly TableColumn<Row>[] {
  const { t } = useLingui()
  return useMemo(
    () => [
      { id: 'name', header: t`Company`, sort: 'name', primary: true, cell: ({ name }) => <strong>{name}</strong> },
      cents('paid', t`Fees from payers`, (row) => row.paidCents),
      cents('absorbed', t`Absorbed fees`, (row) => row.absorbedCents),
      cents('revenue', t`Revenue`, (row) => row.revenueCents, { sort: 'revenue' }),
      cents('absorbed-expense', t`Absorbed-fee expense`, (row) => row.absorbedExpenseCents, { hidden: true }),
      cents('cost', t`Provider cost`, (row) => row.providerCostCents, { hidden: true }),
      cents('expenses', t`Expenses`, (row) => row.expenseCents),
      cents('net', t`Net`, (row) => row.netCents, { sort: 'net' }),
    ],
    [t],
  )
}
