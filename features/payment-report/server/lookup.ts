import { sql } from 'kysely'
import { defineLookup } from '../../../server/lookups.ts'
import { dateIn, formatDate } from '../../../shared/dates.ts'
import { translated } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { orderStatusLabels } from '../../payments/states.ts'

interface PaymentMatch {
  id: number
  payer: string
  account: string
  status: number
  cents: number
  at: string
}

/** Parses `P100234`, `100234`, and the receipt of one line, `P100234-2`. Null for other texts. */
function idIn(typed: string): number | null {
  const digits = /^p?\s?(\d{1,15})(?:-\d{1,3})?$/i.exec(typed)?.[1]
  return digits === undefined ? null : Number(digits)
}

export const paymentLookup = defineLookup<PaymentMatch>({
  kind: 'Payments',
  area: 'payments',
  table: sql`found_payment_order`,
  number: (typed) => {
    const id = idIn(typed)
    return id === null ? null : sql`r.id = ${id}`
  },
  find: { name: sql`r.payer_name` },
  columns: {
    id: sql`r.id`,
    payer: sql`r.payer_name`,
    account: sql`r.reference`,
    status: sql`r.status`,
    cents: sql`r.total_cents`,
    at: sql`r.created_at`,
  },
  show: ({ id, payer, account, status, cents, at }, { company }) => ({
    title: `${receiptNumber(id)} ${payer}`,
    detail: [
      formatCents(cents),
      translated(orderStatusLabels[status] ?? ''),
      formatDate(dateIn(company.timeZone, new Date(at))),
      account,
    ],
    path: `/municipality/reports/payments?payment=${id}`,
  }),
})
