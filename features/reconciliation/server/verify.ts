import { type Check, verifyBy } from '../../../server/verify.ts'

const CHECKS: Check[] = [
  {
    holds: 'each payout equals its lines minus their cost, or is an exception',
    of: 'payout',
    violations: `SELECT p.company_id, 'payout ' || p.trace || ' is no sum of its lines' AS what FROM payout p
      LEFT JOIN (SELECT company_id, payout_id, sum(amount_cents - cost_cents) AS cents, count(*) AS lines FROM payout_line GROUP BY 1, 2) l
        ON l.company_id = p.company_id AND l.payout_id = p.id
      WHERE coalesce(l.cents, 0) <> p.line_cents OR coalesce(l.lines, 0) <> p.line_count
        OR p.line_cents <> p.net_cents AND NOT EXISTS (SELECT FROM recon_exception e WHERE e.company_id = p.company_id AND e.subject = 'payout ' || p.id)`,
  },
  {
    holds: 'deposits in transit in the ledger equal payouts that have not arrived, adjusted for bank differences',
    of: 'company',
    violations: `SELECT c.id AS company_id, 'in transit by the ledger ' || t.cents || ' cents, by the payouts ' || p.cents AS what FROM company c
      CROSS JOIN LATERAL (SELECT coalesce(sum(CASE debit_account WHEN 'deposits_in_transit' THEN amount_cents ELSE -amount_cents END), 0) AS cents
        FROM ledger_transfer WHERE company_id = c.id AND 'deposits_in_transit' IN (debit_account, credit_account)) t
      CROSS JOIN LATERAL (SELECT coalesce(sum(net_cents - coalesce(deposited_cents, 0)), 0) - (SELECT coalesce(sum(CASE debit_account WHEN 'bank_differences'
          THEN amount_cents ELSE -amount_cents END), 0) FROM ledger_transfer WHERE company_id = c.id AND 'bank_differences' IN (debit_account, credit_account)) AS cents
        FROM payout WHERE company_id = c.id) p
      WHERE t.cents <> p.cents`,
  },
  {
    holds: 'each bank transaction is matched or is an exception',
    of: 'bank_transaction',
    violations: `SELECT company_id, 'line ' || id || ' of ' || amount_cents || ' cents is neither' AS what FROM bank_transaction b
      WHERE became = 'open' AND NOT EXISTS (SELECT FROM recon_exception e WHERE e.company_id = b.company_id AND e.kind = 'bank_unknown' AND e.subject = 'bank_transaction ' || b.id)`,
  },
  {
    holds: 'closed days are consecutive, and each starts with the closing balance of the day before',
    of: 'closed_period',
    violations: `SELECT company_id, last_day || ' does not follow the day before' AS what FROM (
        SELECT p.company_id, p.last_day, p.figures->'balances' AS balances, lag(p.last_day) OVER days AS day_before, lag(p.figures->'balances') OVER days AS balances_before
        FROM closed_period p WHERE p.kind = 'day' WINDOW days AS (PARTITION BY p.company_id ORDER BY p.last_day)) p
      WHERE day_before IS NOT NULL AND (last_day <> day_before + 1 OR EXISTS (
        SELECT FROM jsonb_to_recordset(balances) AS n(account text, "beginsCents" bigint)
          JOIN jsonb_to_recordset(balances_before) AS o(account text, "endsCents" bigint) USING (account) WHERE n."beginsCents" <> o."endsCents"))`,
  },
  {
    holds: 'closed figures still match the ledger for those days',
    of: 'closed_period',
    violations: `SELECT p.company_id, p.last_day || ': ' || b.account || ' was debited and credited ' || b."debitCents" || ' and ' || b."creditCents" || ' cents, now otherwise' AS what
      FROM closed_period p JOIN company c ON c.id = p.company_id JOIN timezone z ON z.id = c.timezone_id
      CROSS JOIN LATERAL jsonb_to_recordset(p.figures->'balances') AS b(account text, "debitCents" bigint, "creditCents" bigint)
      CROSS JOIN LATERAL (SELECT coalesce(sum(amount_cents) FILTER (WHERE debit_account = b.account), 0) AS debit, coalesce(sum(amount_cents) FILTER (WHERE credit_account = b.account), 0) AS credit
        FROM ledger_transfer t WHERE t.company_id = p.company_id AND t.at >= p.first_day::timestamp AT TIME ZONE z.zone AND t.at < (p.last_day + 1)::timestamp AT TIME ZONE z.zone) l
      WHERE p.kind = 'day' AND (l.debit, l.credit) <> (b."debitCents", b."creditCents")`,
  },
]

/**
 * Checks that every cent between the provider and the bank is either matched or covered by an exception, and that
 * closed figures never change.
 */
export const verifyReconciliation = verifyBy(CHECKS)
