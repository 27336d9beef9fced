import { sql } from 'kysely'
import type { Verify } from '../../../server/verify.ts'

interface Wrong {
  company: number
  id: number
  what: string
}

/** What each closed drawer says of its cash is what its payments and the ledger say. */
export const verifyDrawers: Verify = async ({ acrossCompanies }) => {
  const { looked, cash, booked } = await acrossCompanies(async (tx) => {
    const { rows: counted } = await sql<{
      looked: number
    }>`SELECT count(*)::int AS looked FROM drawer WHERE status = 'closed'`.execute(tx)
    const { rows: cash } = await sql<Wrong>`
      SELECT d.company_id AS company, d.id, 'should hold ' || d.expected_cents || ' cents, its payments say ' || d.opening_cents + t.cents AS what
      FROM drawer d CROSS JOIN LATERAL (SELECT coalesce(sum(o.total_cents) FILTER (WHERE o.method = 3 AND o.status <> 5), 0)::bigint AS cents
        FROM drawer_payment p JOIN payment_order o ON o.company_id = p.company_id AND o.id = p.order_id
        WHERE p.company_id = d.company_id AND p.drawer_id = d.id) t
      WHERE d.status = 'closed' AND d.expected_cents <> d.opening_cents + t.cents`.execute(tx)
    const { rows: booked } = await sql<Wrong>`
      SELECT d.company_id AS company, d.id, 'was ' || d.closing_cents - d.expected_cents || ' cents over, the ledger says ' || coalesce(t.cents, 0) AS what
      FROM drawer d LEFT JOIN LATERAL (SELECT sum(CASE debit_account WHEN 'office_cash' THEN amount_cents ELSE -amount_cents END)::bigint AS cents
        FROM ledger_transfer t WHERE t.company_id = d.company_id AND t.source = 'office' AND t.source_ref = 'drawer-' || d.id) t ON true
      WHERE d.status = 'closed' AND d.closing_cents - d.expected_cents <> coalesce(t.cents, 0)`.execute(tx)
    return { looked: counted[0]?.looked ?? 0, cash, booked }
  })
  const finding = (holds: string, wrong: readonly Wrong[]) => ({
    holds,
    looked,
    wrong: wrong.length,
    first: wrong.slice(0, 5).map(({ company, id, what }) => `town ${company}: drawer ${id} ${what}`),
  })
  return {
    findings: [
      finding('the cash that a closed drawer should hold is what was taken into it', cash),
      finding('what a drawer’s count found over or short is in the ledger', booked),
    ],
  }
}
