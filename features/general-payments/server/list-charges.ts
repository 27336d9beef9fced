import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { versionOf } from '../../../server/fields/sets.ts'
import { columnsOfType } from '../../../server/fields/answer-columns.ts'
import { implementList } from '../../../server/list.ts'
import { dateIn } from '../../../shared/dates.ts'
import { may } from '../../../shared/privileges.ts'
import { receiptNumber } from '../../payments/rules.ts'
import { showCharge } from '../contract.ts'
import { generalCharges } from '../list.ts'
import { chargeNumber } from '../rules.ts'
import { filesOf } from './files.ts'

const NUMBER = sql`coalesce(r.item_number, 'G' || r.id)`

export const chargeLists = implementList(generalCharges, {
  table: sql`found_general_charge`,
  joins: sql`LEFT JOIN payment_type t ON t.company_id = r.company_id AND t.id = r.type_id`,
  columns: {
    at: 'at',
    number: NUMBER,
    type: sql`t.title`,
    payer: 'payer_name',
    email: 'email',
    address: 'address',
    stockNumber: sql`coalesce(r.stock_number, '')`,
    answers: 'answer_text',
    amount: 'amount_cents',
    paid: 'paid_cents',
    status: 'status',
  },
  filters: { typeId: (id) => sql`r.type_id = ${id}` },
  search: sql`r.search_text`,
  ...columnsOfType('payment_type'),
  row: () => ({ can: { view: true } }),
  exported: 'export.general',
})

interface ChargeView {
  id: number
  item_number: string | null
  title: string
  number_label: string
  payer: string
  email: string
  address: string
  status: 'open' | 'part' | 'paid' | 'returned'
  amountCents: number
  paidCents: number
  dueDate: string | null
  stock_number: string | null
  madeBy: string
  createdAt: Date
  field_set_id: number | null
  version: number | null
  answers: Record<string, unknown>
}

export const showChargeCall = implement(showCharge, async (call) => {
  const { context, company, body } = call
  const { privileges } = signedIn(call)
  return call.inCompany(async (tx) => {
    const { rows } = await sql<ChargeView>`
      SELECT c.id, c.item_number, t.title, t.number_label, c.payer_name AS payer, c.email, c.address, c.status,
        c.amount_cents AS "amountCents", c.paid_cents AS "paidCents", c.due_date AS "dueDate", c.stock_number, c.made_by AS "madeBy",
        c.created_at AS "createdAt", c.field_set_id, c.version, c.answers
      FROM general_charge c JOIN payment_type t ON t.company_id = c.company_id AND t.id = c.type_id
      WHERE c.company_id = ${company.id} AND c.id = ${body.chargeId}`.execute(tx)
    const [row] = rows
    if (!row) throw notFound('This payment was not found.')
    const { item_number, number_label, stock_number, field_set_id, version, dueDate, createdAt, ...charge } = row
    const { rows: payments } = await sql<{ id: number; at: Date; cents: number }>`
      SELECT order_id AS id, min(at) AS at, sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END)::bigint AS cents
      FROM general_settlement WHERE company_id = ${company.id} AND charge_id = ${row.id} GROUP BY order_id ORDER BY 2, 1`.execute(
      tx,
    )
    const fields =
      field_set_id === null || version === null
        ? { version: 0, definition: { steps: [] } }
        : await versionOf({ tx, company: company.id }, field_set_id, version)
    const isOwed = charge.status === 'open' || charge.status === 'part'
    return {
      ...charge,
      number: item_number ?? chargeNumber(row.id),
      dueDate: dueDate ?? '',
      numberLabel: number_label,
      stockNumber: stock_number ?? '',
      createdAt: createdAt.toISOString(),
      today: dateIn(company.timeZone, context.clock.now()),
      definition: fields.definition,
      version: fields.version,
      files: await filesOf(tx, company.id, row.id),
      payments: payments.map(({ at, ...payment }) => ({
        ...payment,
        at: at.toISOString(),
        receipt: receiptNumber(payment.id),
      })),
      can: { send: isOwed && may(privileges, 'general_payments', 'update') },
    }
  })
})
