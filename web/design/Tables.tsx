import { Plus } from 'lucide-react'
import { useMemo } from 'react'
import { addDays, formatShortDate } from '../../shared/dates.ts'
import { formatCents } from '../../shared/money.ts'
import { CallError } from '../call.ts'
import { Button } from '../ui/Button.tsx'
import { Select } from '../ui/Choice.tsx'
import { DataTable } from '../ui/office/DataTable.tsx'
import { DateRange } from '../ui/office/DateRange.tsx'
import { type BulkAction, eachRow } from '../ui/office/table/bulk.ts'
import type { TableColumn, TableData } from '../ui/office/table/column.ts'
import { type TableQuestion, useTableState } from '../ui/office/table/table-state.ts'
import { StatusBadge } from '../ui/StatusBadge.tsx'
import { toast } from '../ui/Toasts.tsx'
import { Section } from './Section.tsx'

interface Payment {
  id: number
  date: string
  payer: string
  email: string
  account: string
  type: string
  paymentStatus: string
  amountCents: number
  feeCents: number
  iscomplete: string
  can: { view: boolean; edit: boolean; printReceipt: boolean; complete: boolean }
}

const payers = [
  'The Maple Grove Volunteer Fire Company and Ladies Auxiliary of 1884, Inc.',
  'Wei Boone',
  'Walter Kowalski',
  'Amara Okafor',
  'Grace Greene',
  'Tyrone Petrova',
  'Noor Lindqvist',
]
const types = ['Utility', 'Dog license', 'Parking ticket', 'Property tax']
const statusLabels = ['Successful', 'Successful', 'Successful', 'Declined', 'Pending']

const payments: Payment[] = Array.from({ length: 240 }, (_, i) => {
  const paymentStatus = statusLabels[(i * 7) % statusLabels.length] ?? ''
  const good = paymentStatus === 'Successful'
  return {
    id: 104_000 + i,
    date: addDays('2026-11-20', -Math.floor(i / 6)),
    payer: payers[(i * 5) % payers.length] ?? '',
    email:
      i % 5 === 0 ? 'accounts.receivable.and.payable@waterworks.maplegrove.example' : `payer${i}@maplegrove.example`,
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
  {
    id: 'date',
    header: 'Date',
    sort: 'date',
    sortFirst: 'desc',
    width: 110,
    whole: true,
    cell: (row) => formatShortDate(row.date),
  },
  { id: 'receipt', header: 'Receipt', primary: true, width: 84, whole: true, cell: (row) => `P${row.id}` },
  { id: 'payer', header: 'Payer', sort: 'payer', width: 150, cell: (row) => row.payer },
  { id: 'email', header: 'Email', width: 150, priority: 4, cell: (row) => row.email },
  { id: 'account', header: 'Account', width: 100, whole: true, cell: (row) => row.account },
  { id: 'type', header: 'Type', sort: 'type', groupBy: 'server', width: 120, cell: (row) => row.type },
  {
    id: 'status',
    header: 'Status',
    width: 130,
    cell: (row) => <StatusBadge kind={kindOf(row.paymentStatus)}>{row.paymentStatus}</StatusBadge>,
  },
  {
    id: 'amount',
    header: 'Amount',
    sort: 'amountCents',
    align: 'end',
    width: 92,
    cents: (row) => row.amountCents,
    cell: (row) => formatCents(row.amountCents),
  },
  { id: 'fee', header: 'Fee', align: 'end', width: 80, cell: (row) => formatCents(row.feeCents) },
]

type Filter = 'mode' | 'fromDate' | 'toDate'
interface Totals {
  amount: number
  fee: number
}

const totalsOf = ({ amount, fee }: Totals) => [
  { label: 'Total Amount:', column: 'amount', cents: amount },
  { label: 'Total Fees:', column: 'fee', cents: fee },
]

/** Simulates a server that searches, sorts, groups and pages. It can also be slow, return nothing, or fail. */
async function load(question: TableQuestion<Filter>): Promise<TableData<Payment, Totals>> {
  const { search, sort, direction, cursor, pageSize, filters, group } = question
  if (filters.mode === 'loading') await new Promise(() => {})
  if (filters.mode === 'error')
    throw new CallError(503, 'unavailable', 'The report is not available right now.', {}, 'E-4471')
  const matches = payments
    .filter(
      (row) =>
        filters.mode !== 'empty' &&
        (group?.value === undefined || row.type === group.value) &&
        `${row.payer} P${row.id} ${row.account}`.toLowerCase().includes(search.toLowerCase()),
    )
    .toSorted((a, b) => {
      const [x, y] = [a, b].map((row) => row[sort as keyof Payment] as string | number) as [string, string]
      return (x < y ? -1 : x > y ? 1 : a.id - b.id) * (direction === 'asc' ? 1 : -1)
    })
  const at = Number(cursor ?? 0)
  const sumsOf = (rows: readonly Payment[]): Totals => ({
    amount: rows.reduce((sum, { amountCents }) => sum + amountCents, 0),
    fee: rows.reduce((sum, { feeCents }) => sum + feeCents, 0),
  })
  const response = { next: null, previous: null, count: matches.length, totals: sumsOf(matches) }
  if (group && group.value === undefined) {
    const groups = [...Map.groupBy(matches, ({ type }) => type)].map(([type, rows]) => ({
      value: type,
      label: type,
      count: rows.length,
      totals: totalsOf(sumsOf(rows)),
    }))
    return { ...response, rows: [], groups }
  }
  return {
    ...response,
    rows: matches.slice(at, at + pageSize),
    next: at + pageSize < matches.length ? String(at + pageSize) : null,
    previous: at > 0 ? String(at - pageSize) : null,
  }
}

const modes = { '': 'Working', empty: 'Empty', loading: 'Slow', error: 'Broken' }

const bulk: readonly BulkAction<Payment>[] = [
  {
    label: 'Mail the receipts',
    run: (rows) =>
      eachRow(
        rows,
        async ({ paymentStatus }) => {
          if (paymentStatus !== 'Successful')
            throw new CallError(409, 'conflict', `It is ${paymentStatus}: there is no receipt to mail.`)
        },
        (count) => (count === 1 ? '1 receipt was mailed.' : `${count} receipts were mailed.`),
      ),
  },
  {
    label: 'Void',
    danger: true,
    confirm: () => 'What is voided stays void.',
    run: async (rows) => `${rows.length} were voided.`,
  },
]

export function Tables() {
  const state = useTableState<Filter>({
    sort: 'date',
    filters: { mode: '', fromDate: '2026-10-22', toDate: '2026-11-21' },
  })
  const { filters } = state.question
  const say = useMemo(() => (what: string) => (row: Payment) => toast(`${what}: P${row.id}`, 'info'), [])
  const setMode = (mode: string) => state.setFilters({ mode })
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
        bulk={bulk}
        totals={totalsOf}
        onExport={() => Promise.reject(new CallError(0, 'unreached', 'We could not reach the server.'))}
        headActions={
          <Button variant="primary" icon={Plus}>
            Add Company
          </Button>
        }
        fields={[
          {
            id: 'days',
            label: 'Date range',
            width: 262,
            changed: false,
            valueText: 'Oct 22, 2026 – Nov 21, 2026',
            clear: () => {},
            node: (
              <DateRange
                label="Date range"
                from={filters.fromDate}
                to={filters.toDate}
                onChange={({ from, to }) => state.setFilters({ fromDate: from, toDate: to })}
              />
            ),
          },
          {
            id: 'mode',
            label: 'The server is',
            width: 132,
            changed: filters.mode !== '',
            valueText: modes[filters.mode as keyof typeof modes] ?? '',
            clear: () => setMode(''),
            node: (
              <Select
                label="The server is"
                value={filters.mode}
                onChange={({ target }) => setMode(target.value)}
                options={Object.entries(modes).map(([value, label]) => ({ value, label }))}
              />
            ),
          },
        ]}
      />
    </Section>
  )
}
