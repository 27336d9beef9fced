import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { addDays, formatShortDate } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { CallError } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'
import { DataTable } from '../ui/office/DataTable.tsx'
import { DateRange } from '../ui/office/DateRange.tsx'
import type { TableColumn, TableData } from '../ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../ui/office/table/table-state.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { toast } from '../ui/Toasts.tsx'
import { Section } from './Section.tsx'

interface Payment {
  id: number
  date: string
  payer: string
  account: string
  type: string
  paymentStatus: string
  amountCents: number
  feeCents: number
  iscomplete: string
  can: { view: boolean; edit: boolean; printReceipt: boolean; complete: boolean }
}

const payers = [
  'Luis Haddad',
  'Wei Boone',
  'Walter Kowalski',
  'Amara Okafor',
  'Grace Greene',
  'Tyrone Petrova',
  'Noor Lindqvist',
]
const types = ['Utility', 'Dog licence', 'Parking ticket', 'Property tax']
const statusWords = ['Successful', 'Successful', 'Successful', 'Declined', 'Pending']

const payments: Payment[] = Array.from({ length: 240 }, (_, i) => {
  const paymentStatus = statusWords[(i * 7) % statusWords.length] ?? ''
  const good = paymentStatus === 'Successful'
  return {
    id: 104_000 + i,
    date: addDays('2026-11-20', -Math.floor(i / 6)),
    payer: payers[(i * 5) % payers.length] ?? '',
    account: `${10_000 + ((i * 7919) % 90_000)}-${100 + (i % 900)}`,
    type: types[(i * 3) % types.length] ?? '',
    paymentStatus,
    amountCents: 825 + ((i * 7919) % 40_000),
    feeCents: 60 + ((i * 31) % 1100),
    iscomplete: i % 4 === 0 ? 'Yes' : 'No',
    can: { view: true, edit: i % 3 !== 0, printReceipt: good, complete: i % 4 !== 0 },
  }
})

const kindOf = (status: string) => (status === 'Successful' ? 'good' : status === 'Pending' ? 'waiting' : 'bad')

const columns: TableColumn<Payment>[] = [
  { id: 'date', header: 'Date', sort: 'date', sortFirst: 'desc', cell: (row) => formatShortDate(row.date) },
  { id: 'receipt', header: 'Receipt', primary: true, cell: (row) => `P${row.id}` },
  { id: 'payer', header: 'Payer', sort: 'payer', cell: (row) => row.payer },
  { id: 'account', header: 'Account', cell: (row) => row.account },
  { id: 'type', header: 'Type', sort: 'type', groupBy: (row) => row.type, cell: (row) => row.type },
  {
    id: 'status',
    header: 'Status',
    cell: (row) => <StatusBadge kind={kindOf(row.paymentStatus)}>{row.paymentStatus}</StatusBadge>,
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amountCents',
    align: 'end',
    cents: (row) => row.amountCents,
    cell: (row) => formatCents(row.amountCents),
  },
  { id: 'fee', header: 'Fee', align: 'end', cell: (row) => formatCents(row.feeCents) },
]

type Filter = 'mode' | 'fromDate' | 'toDate'

/** A server in small: it searches, sorts and pages, or is slow, empty or broken. */
async function load({
  search,
  sort,
  direction,
  cursor,
  pageSize,
  filters,
}: TableQuestion<Filter>): Promise<TableData<Payment, { amount: number; fee: number }>> {
  if (filters.mode === 'loading') await new Promise(() => {})
  if (filters.mode === 'error')
    throw new CallError(503, 'unavailable', 'The report is not available right now.', {}, 'E-4471')
  const found = payments
    .filter(
      (row) =>
        filters.mode !== 'empty' &&
        `${row.payer} P${row.id} ${row.account}`.toLowerCase().includes(search.toLowerCase()),
    )
    .toSorted((a, b) => {
      const [x, y] = [a, b].map((row) => row[sort as keyof Payment] as string | number) as [string, string]
      return (x < y ? -1 : x > y ? 1 : a.id - b.id) * (direction === 'asc' ? 1 : -1)
    })
  const at = Number(cursor ?? 0)
  const sum = (of: (row: Payment) => number) => found.reduce((total, row) => total + of(row), 0)
  return {
    rows: found.slice(at, at + pageSize),
    next: at + pageSize < found.length ? String(at + pageSize) : null,
    previous: at > 0 ? String(at - pageSize) : null,
    count: found.length,
    totals: { amount: sum((row) => row.amountCents), fee: sum((row) => row.feeCents) },
  }
}

export function Tables() {
  const state = useTableState<Filter>({
    sort: 'date',
    filters: { mode: '', fromDate: '2026-10-22', toDate: '2026-11-21' },
  })
  const say = useMemo(() => (what: string) => (row: Payment) => toast(`${what}: P${row.id}`, 'info'), [])
  return (
    <Section title="Table">
      <DataTable
        name="design"
        title="Payment Transaction Report"
        level={2}
        columns={columns}
        state={state}
        queryKey={['design']}
        load={load}
        rowKey={(row) => row.id}
        rowName={(row) => `P${row.id}`}
        noun={(count) => (count === 1 ? 'payment' : 'payments')}
        actions={{ view: say('View'), edit: say('Edit'), printReceipt: say('Print'), complete: say('Complete') }}
        onRow={say('Row')}
        totals={({ amount, fee }) => [
          { label: 'Total Amount:', column: 'amount', cents: amount },
          { label: 'Total Fees:', column: 'fee', cents: fee },
        ]}
        onExport={() => Promise.reject(new CallError(0, 'unreached', 'We could not reach the server.'))}
        headActions={
          <Button look="primary" icon={Plus}>
            Add Company
          </Button>
        }
        filters={
          <>
            <DateRange
              label="Date range"
              from={state.question.filters.fromDate}
              to={state.question.filters.toDate}
              onChange={({ from, to }) => state.setFilters({ fromDate: from, toDate: to })}
            />
            <Select
              label="The server is"
              value={state.question.filters.mode}
              onChange={({ target }) => state.setFilters({ mode: target.value })}
              options={[
                { value: '', label: 'Working' },
                { value: 'empty', label: 'Empty' },
                { value: 'loading', label: 'Slow' },
                { value: 'error', label: 'Broken' },
              ]}
            />
          </>
        }
      />
    </Section>
  )
}
