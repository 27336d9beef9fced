import { sql } from 'kysely'
import { implement, signedIn } from '../../../server/call.ts'
import { implementList } from '../../../server/list.ts'
import { may } from '../../../shared/privileges.ts'
import { paymentTitles } from '../contract.ts'
import { paymentTypes } from '../list.ts'

/** Maximum number of titles, more than any company needs. */
const MAX_TITLES = 1000

export const paymentTitlesCall = implement(paymentTitles, async (call) => ({
  types: await call.reading((tx) =>
    tx
      .selectFrom('payment_type')
      .select(['id', 'title'])
      .where('company_id', '=', call.company.id)
      .orderBy('title_key')
      .orderBy('id')
      .limit(MAX_TITLES)
      .execute(),
  ),
}))

export const paymentTypeLists = implementList(paymentTypes, {
  table: sql`payment_type`,
  joins: sql`CROSS JOIN LATERAL (
    SELECT count(*)::int AS payments, coalesce(sum(c.paid_cents), 0)::bigint AS cents FROM general_charge c
    WHERE c.company_id = r.company_id AND c.type_id = r.id AND c.status IN ('paid', 'part')) paid`,
  columns: {
    title: 'title',
    category: 'category',
    amountKind: 'amount_kind',
    amountCents: 'amount_cents',
    seenBy: 'seen_by',
    payments: sql`paid.payments`,
    collected: sql`paid.cents`,
    status: 'status',
  },
  sorts: { title: 'title_key' },
  search: sql`r.title_key`,
  unindexed: { all: 'A municipality has a few dozen forms.' },
  row: (_row, call) => {
    const { privileges } = signedIn(call)
    return { can: { view: true, edit: may(privileges, 'general_payments', 'update') } }
  },
})
