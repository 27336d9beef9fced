import { verifyBy } from '../../../server/verify.ts'
import { orderStatus, officeMethods } from '../../payments/rules.ts'

const CLOSED = `drawer WHERE status = 'closed'`

/** Checks that the cash of each closed drawer matches its payments and the ledger. */
export const verifyDrawers = verifyBy([
  {
    holds: 'the expected cash of each closed drawer equals the cash taken into it',
    of: CLOSED,
    violations: `SELECT d.company_id, 'drawer ' || d.id || ' should hold ' || d.expected_cents || ' cents, its payments say ' || d.opening_cents + t.cents AS what
      FROM drawer d CROSS JOIN LATERAL (SELECT coalesce(sum(o.total_cents) FILTER (WHERE o.method = ${officeMethods.cash} AND o.status <> ${orderStatus.void}), 0)::bigint AS cents
        FROM drawer_payment p JOIN payment_order o ON o.company_id = p.company_id AND o.id = p.order_id
        WHERE p.company_id = d.company_id AND p.drawer_id = d.id) t
      WHERE d.status = 'closed' AND d.expected_cents <> d.opening_cents + t.cents`,
  },
  {
    holds: 'the overage or shortage of each drawer count is in the ledger',
    of: CLOSED,
    violations: `SELECT d.company_id, 'drawer ' || d.id || ' was ' || d.closing_cents - d.expected_cents || ' cents over, the ledger says ' || coalesce(t.cents, 0) AS what
      FROM drawer d LEFT JOIN LATERAL (SELECT sum(CASE debit_account WHEN 'office_cash' THEN amount_cents ELSE -amount_cents END)::bigint AS cents
        FROM ledger_transfer t WHERE t.company_id = d.company_id AND t.source = 'office' AND t.source_ref = 'drawer-' || d.id) t ON true
      WHERE d.status = 'closed' AND d.closing_cents - d.expected_cents <> coalesce(t.cents, 0)`,
  },
  {
    holds: 'each correction of a closed drawer is in the ledger',
    of: 'drawer_correction',
    violations: `SELECT c.company_id, 'correction ' || c.id || ' is of ' || c.cents || ' cents, the ledger says ' || coalesce(t.cents, 0) AS what
      FROM drawer_correction c LEFT JOIN LATERAL (SELECT sum(CASE debit_account WHEN 'office_cash' THEN amount_cents ELSE -amount_cents END)::bigint AS cents
        FROM ledger_transfer t WHERE t.company_id = c.company_id AND t.source = 'office' AND t.source_ref = 'drawer-' || c.drawer_id || '.c' || c.id) t ON true
      WHERE c.cents <> coalesce(t.cents, 0)`,
  },
  {
    holds: 'each closed drawer has the day sheet of its closing',
    of: CLOSED,
    violations: `SELECT company_id, 'drawer ' || id || ' has no day sheet' AS what FROM drawer WHERE status = 'closed' AND sheet IS NULL`,
  },
])
