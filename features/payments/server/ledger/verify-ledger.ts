import pg from 'pg'
import { connectionTo } from '../../../../server/db/pool.ts'
import { type Check, type Finding, makeCheck } from '../../../../server/verify.ts'
import { formatCents } from '../../../../shared/money.ts'
import { type Payable, allPayables } from '../orders/payable.ts'
import { attemptStatus, orderStatus, methods } from '../../rules.ts'

/** Result of the ledger check, across all companies. */
export interface Ledgers {
  findings: Finding[]
  /** Ledger balance and paid fees of each company, in integer cents. */
  companies: { id: number; name: string; orders: number; billCents: number; feeCents: number }[]
}

/** Movement types of `book.ts`, which are the prefixes of transfer kinds. */
const KINDS = `'^(capture|void|return|refund|refund_failed|dispute|dispute_won|dispute_lost)[.]'`

/**
 * CTEs with the movements of each order and its expected balance, refunded amount and status, by the rules of
 * `rules.ts`. A separate fee has its own charge, and its expected amount depends only on that charge.
 */
const ORDERS = `
  moved AS (SELECT *, CASE WHEN kind LIKE '%.absorbed' THEN '' ELSE split_part(kind, '.', 1) END AS movement_type FROM ledger_transfer WHERE kind ~ ${KINDS}),
  held AS (
    SELECT t.company_id, t.order_id, t.is_fee_part,
      sum(CASE 'payable_municipality' WHEN t.credit_account THEN t.amount_cents WHEN t.debit_account THEN -t.amount_cents ELSE 0 END) AS bill,
      sum(CASE WHEN 'absorbed_fee' IN (t.debit_account, t.credit_account) THEN 0
        WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END) AS fee,
      sum(CASE 'absorbed_fee' WHEN t.debit_account THEN t.amount_cents WHEN t.credit_account THEN -t.amount_cents ELSE 0 END) AS absorbed,
      sum(CASE 'returns_receivable' WHEN t.credit_account THEN t.amount_cents WHEN t.debit_account THEN -t.amount_cents ELSE 0 END) AS payer,
      sum(CASE 'dispute_reserve' WHEN t.debit_account THEN t.amount_cents WHEN t.credit_account THEN -t.amount_cents ELSE 0 END) AS reserve,
      sum(CASE t.movement_type WHEN 'capture' THEN t.amount_cents ELSE 0 END) AS captured,
      sum(CASE t.movement_type WHEN 'refund' THEN t.amount_cents WHEN 'refund_failed' THEN -t.amount_cents ELSE 0 END) AS refunded,
      sum(CASE t.movement_type WHEN 'return' THEN t.amount_cents ELSE 0 END) AS returned,
      sum(CASE t.movement_type WHEN 'dispute_lost' THEN t.amount_cents ELSE 0 END) AS lost,
      sum(CASE t.movement_type WHEN 'void' THEN t.amount_cents ELSE 0 END) AS voided,
      bool_or(t.movement_type LIKE 'dispute%') AS was_disputed
    FROM moved t WHERE t.order_id IS NOT NULL GROUP BY 1, 2, 3
  ),
  separate_fees AS (
    SELECT company_id, order_id, sum(fee_cents) AS apart FROM payment_order_line WHERE fee_mode = 'two_transactions' AND fee_cents > 0 GROUP BY 1, 2
  ),
  totals AS (
    SELECT o.company_id, o.id, false AS is_fee_part, o.total_cents - coalesce(a.apart, 0) AS total
    FROM payment_order o LEFT JOIN separate_fees a ON a.company_id = o.company_id AND a.order_id = o.id
    UNION ALL SELECT company_id, order_id, true, apart FROM separate_fees
  ),
  nets AS (
    SELECT t.*, h.was_disputed, coalesce(h.bill, 0) AS bill, coalesce(h.fee, 0) AS fee, coalesce(h.absorbed, 0) AS absorbed,
      coalesce(h.payer, 0) AS payer, coalesce(h.reserve, 0) AS reserve, coalesce(h.captured, 0) AS captured,
      coalesce(h.refunded, 0) AS refunded, coalesce(h.returned, 0) AS returned, coalesce(h.voided, 0) AS voided,
      coalesce(h.captured - h.refunded - h.returned - h.lost - h.voided, 0) AS net
    FROM totals t LEFT JOIN held h ON h.company_id = t.company_id AND h.order_id = t.id AND h.is_fee_part = t.is_fee_part
  ),
  charges AS (
    SELECT n.*, least(greatest(net, 0), total) AS kept FROM nets n
  ),
  -- What refunds gave back that name a line.
  named AS (
    SELECT company_id, order_id, is_fee_part, named_line_no AS line_no, sum(CASE movement_type WHEN 'refund' THEN amount_cents ELSE -amount_cents END) AS refunded
    FROM moved WHERE named_line_no IS NOT NULL AND movement_type IN ('refund', 'refund_failed') GROUP BY 1, 2, 3, 4
  ),
  parts AS (
    SELECT l.company_id, l.order_id, l.line_no, l.settled_cents, c.is_fee_part, c.kept AS kept_in_all,
      CASE WHEN c.is_fee_part THEN 0 ELSE l.absorbed_fee_cents END AS absorbed,
      CASE WHEN (l.fee_mode = 'two_transactions') = c.is_fee_part THEN l.fee_cents ELSE 0 END AS fee,
      CASE WHEN c.is_fee_part THEN 0 ELSE l.amount_cents END + CASE WHEN (l.fee_mode = 'two_transactions') = c.is_fee_part THEN l.fee_cents ELSE 0 END AS total
    FROM payment_order_line l JOIN charges c ON c.company_id = l.company_id AND c.id = l.order_id
  ),
  capped AS (
    SELECT p.*, greatest(0, total - coalesce(n.refunded, 0)) AS cap
    FROM parts p LEFT JOIN named n ON n.company_id = p.company_id AND n.order_id = p.order_id AND n.is_fee_part = p.is_fee_part AND n.line_no = p.line_no
  ),
  -- What is kept fills the lines in their order, each with its amount and fee, less where a refund named it; what does not find
  -- room that movement_type fills the rest of them. What is due of a line depends on its own share alone.
  filled AS (
    SELECT c.*, greatest(0, least(cap, kept_in_all + cap - sum(cap) OVER so_far))
      + greatest(0, least(total - cap, greatest(0, kept_in_all - sum(cap) OVER (PARTITION BY company_id, order_id, is_fee_part)) + total - cap - sum(total - cap) OVER so_far)) AS kept
    FROM capped c WINDOW so_far AS (PARTITION BY company_id, order_id, is_fee_part ORDER BY line_no)
  ),
  shares AS (
    SELECT f.*, coalesce(floor(fee::numeric * (total - kept) / nullif(total, 0)), 0) AS fee_refunded,
      coalesce(floor(absorbed::numeric * (total - kept) / nullif(total, 0)), 0) AS absorbed_refunded
    FROM filled f
  ),
  dues AS (
    SELECT company_id, order_id, line_no, settled_cents, sum(kept - fee + fee_refunded) AS due_bill, sum(fee - fee_refunded) AS due_fee,
      sum(absorbed - absorbed_refunded) AS due_absorbed
    FROM shares GROUP BY 1, 2, 3, 4
  ),
  sums AS (
    SELECT company_id, id, sum(bill) AS bill, sum(fee) AS fee, sum(absorbed) AS absorbed, sum(payer) AS payer, sum(reserve) AS reserve,
      bool_or(was_disputed) AS was_disputed, sum(net - kept) AS due_payer, sum(greatest(0, refunded - greatest(0, captured - total))) AS due_refunded,
      bool_or(captured % total <> 0) AS is_odd, sum(captured) FILTER (WHERE NOT is_fee_part) AS captured,
      -- The state is said by the charge of the bill.
      max(CASE WHEN net > 0 THEN 1 WHEN voided > 0 THEN 5 WHEN returned > 0 THEN 2 ELSE 3 END) FILTER (WHERE NOT is_fee_part) AS due_status
    FROM charges GROUP BY 1, 2
  ),
  orders AS (
    SELECT o.*, s.bill, s.fee, s.absorbed, s.payer, s.reserve, s.was_disputed, s.due_payer, s.due_refunded, s.is_odd, s.captured, s.due_status,
      d.due_bill, d.due_fee, d.due_absorbed
    FROM payment_order o JOIN sums s ON s.company_id = o.company_id AND s.id = o.id
    LEFT JOIN (SELECT company_id, order_id, sum(due_bill) AS due_bill, sum(due_fee) AS due_fee, sum(due_absorbed) AS due_absorbed
      FROM dues GROUP BY 1, 2) d ON d.company_id = o.company_id AND d.order_id = o.id
  )`

/**
 * Returns the SQL columns with the amounts of a payment, from the payment's own row or from the ledger. The ledger has
 * no row for a payment that moved no money.
 */
const cameOf = (row: string) =>
  ['net', 'refunded', 'returned']
    .flatMap((part) => [`${part}_bill_cents`, `${part}_fee_cents`])
    .map((column) => `coalesce(${row}.${column}, 0)`)
    .join(', ')

/** State transitions of payments. */
const STEPS = `status_history WHERE machine = 'order'`

const CHECKS: Check[] = [
  {
    holds: 'each ledger entry is about one payment and one event',
    of: 'ledger_transfer',
    violations: `SELECT company_id, 'entry ' || entry_id || ' is about several' AS what FROM ledger_transfer
      GROUP BY company_id, entry_id HAVING count(DISTINCT (coalesce(order_id, 0), source, source_ref)) > 1`,
  },
  {
    holds: 'each entry has equal debits and credits, on accounts of the company’s ledger',
    of: 'ledger_transfer',
    violations: `SELECT t.company_id, 'entry ' || t.entry_id || ' is out of balance' AS what FROM ledger_transfer t
      LEFT JOIN ledger_account d ON d.company_id = t.company_id AND d.code = t.debit_account
      LEFT JOIN ledger_account c ON c.company_id = t.company_id AND c.code = t.credit_account
      GROUP BY t.company_id, t.entry_id
      HAVING sum(CASE WHEN d.code IS NULL THEN 0 ELSE t.amount_cents END) <> sum(CASE WHEN c.code IS NULL THEN 0 ELSE t.amount_cents END)
        OR bool_or(t.amount_cents <= 0 OR d.code IS NULL OR c.code IS NULL OR t.debit_account = t.credit_account)`,
  },
  {
    holds: 'the trial balance of each company is zero',
    of: 'company',
    violations: `SELECT a.company_id, 'the accounts add up to ' || sum(l.cents) || ' cents' AS what FROM ledger_account a
      JOIN (SELECT company_id, debit_account AS code, amount_cents AS cents FROM ledger_transfer
        UNION ALL SELECT company_id, credit_account, -amount_cents FROM ledger_transfer) l ON l.company_id = a.company_id AND l.code = a.code
      GROUP BY a.company_id HAVING sum(l.cents) <> 0`,
  },
  {
    holds: 'each transfer has its payment',
    of: 'ledger_transfer',
    violations: `SELECT t.company_id, 'transfer ' || t.id || ' (' || t.kind || ') has no payment' AS what FROM ledger_transfer t
      LEFT JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE o.id IS NULL AND (t.order_id IS NOT NULL OR t.kind ~ ${KINDS})`,
  },
  {
    holds: 'each Successful or Refunded payment was captured, and each state matches the ledger',
    of: 'payment_order',
    violations: `WITH ${ORDERS} SELECT company_id, 'payment P' || id || ' has status ' || status || ' and the ledger holds ' || bill + fee || ' cents' AS what
      FROM orders WHERE captured = 0 AND status IN (${orderStatus.success}, ${orderStatus.refund}) OR captured <> 0 AND status <> due_status`,
  },
  {
    holds:
      'the ledger balance of each payment is its bill and fee less returned money, and money returned twice is on the payer’s account',
    of: 'payment_order',
    violations: `WITH ${ORDERS} SELECT company_id, 'payment P' || id || ' holds ' || concat_ws(' + ', bill, fee, absorbed, payer) ||
        ' cents (bill, fee, absorbed, of the payer) instead of ' || concat_ws(' + ', due_bill, due_fee, due_absorbed, due_payer) ||
        CASE WHEN refunded_cents <> due_refunded THEN ', and ' || refunded_cents || ' refunded instead of ' || due_refunded ELSE '' END AS what
      FROM orders WHERE (bill, fee, absorbed, payer, refunded_cents) <> (due_bill, due_fee, due_absorbed, due_payer, due_refunded)
        OR is_odd`,
  },
  {
    holds: 'money set aside for a dispute belongs to a payment with an open dispute',
    of: 'payment_order',
    violations: `WITH ${ORDERS} SELECT company_id, 'payment P' || id || ' has ' || reserve || ' cents set aside' AS what
      FROM orders WHERE was_disputed AND dispute_open <> (reserve <> 0)`,
  },
  {
    holds:
      'each successful attempt is captured in the ledger, each returned attempt is returned there, and no other is',
    of: 'payment_attempt',
    violations: `SELECT a.company_id, 'payment P' || a.order_id || ': attempt ' || a.attempt_no || ' is ' || a.step || ', in the ledger ' ||
        CASE WHEN m.returned THEN 'returned' WHEN m.captured THEN 'captured' ELSE 'not there' END AS what
      FROM payment_attempt a
      LEFT JOIN (SELECT company_id, source, source_ref, bool_or(kind LIKE 'capture.%') AS captured, bool_or(kind LIKE 'return.%') AS returned
        FROM ledger_transfer GROUP BY 1, 2, 3) m ON (m.company_id, m.source, m.source_ref) = (a.company_id, a.provider, a.intent_id)
      WHERE (a.step IN ('succeeded', 'returned'), a.step = 'returned') <> (coalesce(m.captured, false), coalesce(m.returned, false))`,
  },
  {
    holds: 'each captured payment has a successful attempt',
    of: 'payment_order',
    violations: `SELECT o.company_id, 'payment P' || o.id || ' has no such attempt' AS what FROM payment_order o
      WHERE o.status IN (${orderStatus.success}, ${orderStatus.refund}) AND NOT EXISTS (SELECT FROM payment_attempt a
        WHERE a.company_id = o.company_id AND a.order_id = o.id AND a.status = ${attemptStatus.succeeded})`,
  },
  {
    // Providers charge exactly the card and eCheck payments, because reports count payments by method.
    holds: 'a payment provider charged all cards and eChecks, and no other payments',
    of: 'payment_attempt',
    violations: `SELECT a.company_id, 'payment P' || a.order_id || ' of method ' || o.method || ' was taken by ' || a.provider AS what
      FROM payment_attempt a JOIN payment_order o ON o.company_id = a.company_id AND o.id = a.order_id
      WHERE a.step IN ('succeeded', 'returned') AND (o.method IN (${methods.card}, ${methods.echeck})) = (a.provider IN ('office', 'lockbox'))`,
  },
  {
    holds: 'the state of each separate fee matches its charge and its bill',
    of: 'payment_order',
    violations: `WITH ${ORDERS}, charged AS (SELECT company_id, id, total, captured, fee FROM charges WHERE is_fee_part)
      SELECT company_id, 'payment P' || o.id || ': its fee of ' || coalesce(f.amount_cents, 0) || ' cents is ' || coalesce(f.status, 'nowhere') || ', ' ||
        c.captured || ' cents of ' || c.total || ' were charged' AS what
      FROM orders o JOIN charged c USING (company_id, id) LEFT JOIN payment_fee f USING (company_id, id)
      WHERE (f.status IS NULL) <> (o.captured = 0) OR f.amount_cents <> c.total OR (f.status = 'charged') <> (c.captured > 0)
        OR f.status = 'waiting' AND f.since < now() - interval '1 day'`,
  },
  {
    holds: 'no separate fee remains for a returned bill, unless its refund failed or is pending',
    of: 'payment_order',
    violations: `WITH ${ORDERS} SELECT c.company_id, 'payment P' || c.id || ' keeps ' || c.kept || ' cents of its fee' AS what
      FROM charges c JOIN payment_order o ON o.company_id = c.company_id AND o.id = c.id
      WHERE c.is_fee_part AND c.kept > 0 AND o.status NOT IN (0, 1) AND NOT EXISTS (SELECT FROM payment_refund r
        WHERE r.company_id = c.company_id AND r.order_id = c.id AND r.is_fee_part AND (r.status = 'failed' OR r.status = 'sending'))
        AND NOT EXISTS (SELECT FROM moved m WHERE m.company_id = c.company_id AND m.order_id = c.id AND m.is_fee_part AND m.movement_type = 'refund_failed')`,
  },
  {
    holds: 'the lines of each payment add up to its amount, and their fees to its fees',
    of: 'payment_order',
    violations: `SELECT o.company_id, 'payment P' || o.id || ' is for ' || concat_ws(' + ', o.bill_cents, o.fee_cents, o.absorbed_fee_cents) ||
        ' cents (bill, fee, absorbed), its lines for ' || concat_ws(' + ', coalesce(l.cents, 0), coalesce(l.fees, 0), coalesce(l.absorbed, 0)) AS what
      FROM payment_order o LEFT JOIN (SELECT company_id, order_id, sum(amount_cents) AS cents, sum(fee_cents) AS fees, sum(absorbed_fee_cents) AS absorbed
        FROM payment_order_line GROUP BY 1, 2) l ON l.company_id = o.company_id AND l.order_id = o.id
      WHERE (o.bill_cents, o.fee_cents, o.absorbed_fee_cents) IS DISTINCT FROM (l.cents, l.fees, l.absorbed)`,
  },
  {
    holds: 'the settled amounts of a payment’s lines equal its ledger balance, applied line by line',
    of: 'payment_order_line',
    violations: `WITH ${ORDERS} SELECT company_id, 'payment P' || order_id || ', line ' || line_no || ': settled ' || settled_cents || ' cents instead of ' || due_bill AS what
      FROM dues WHERE settled_cents <> due_bill`,
  },
  {
    holds: 'the ledger balance of each line is its share of the bill and fees',
    of: 'payment_order_line',
    violations: `WITH ${ORDERS}, lines AS (SELECT company_id, order_id, line_no,
        sum(CASE 'payable_municipality' WHEN credit_account THEN amount_cents WHEN debit_account THEN -amount_cents ELSE 0 END) AS bill,
        sum(CASE WHEN 'absorbed_fee' IN (debit_account, credit_account) THEN 0
          WHEN credit_account = 'fee_revenue' THEN amount_cents WHEN debit_account = 'fee_revenue' THEN -amount_cents ELSE 0 END) AS fee,
        sum(CASE 'absorbed_fee' WHEN debit_account THEN amount_cents WHEN credit_account THEN -amount_cents ELSE 0 END) AS absorbed
      FROM moved WHERE line_no IS NOT NULL GROUP BY 1, 2, 3)
      SELECT company_id, 'payment P' || order_id || ', line ' || line_no || ' holds ' || concat_ws(' + ', coalesce(l.bill, 0), coalesce(l.fee, 0), coalesce(l.absorbed, 0)) ||
        ' cents (bill, fee, absorbed) instead of ' || concat_ws(' + ', d.due_bill, d.due_fee, d.due_absorbed) AS what
      FROM dues d LEFT JOIN lines l USING (company_id, order_id, line_no)
      WHERE (coalesce(l.bill, 0), coalesce(l.fee, 0), coalesce(l.absorbed, 0)) <> (d.due_bill, d.due_fee, d.due_absorbed)`,
  },
  {
    holds: 'the totals of the report equal the balances of the ledger',
    of: 'company',
    violations: `WITH ${ORDERS}, reported AS (SELECT company_id, sum(bill) AS bill, sum(fee) AS fee FROM orders GROUP BY 1),
      balance AS (SELECT company_id,
        sum(CASE 'payable_municipality' WHEN credit_account THEN amount_cents WHEN debit_account THEN -amount_cents ELSE 0 END) AS bill,
        sum(CASE WHEN 'absorbed_fee' IN (debit_account, credit_account) THEN 0
          WHEN credit_account = 'fee_revenue' THEN amount_cents WHEN debit_account = 'fee_revenue' THEN -amount_cents ELSE 0 END) AS fee
        FROM moved GROUP BY 1)
      SELECT company_id, 'the payments add up to ' || coalesce(r.bill, 0) || ' + ' || coalesce(r.fee, 0) ||
        ' cents, the ledger to ' || coalesce(b.bill, 0) || ' + ' || coalesce(b.fee, 0) AS what
      FROM reported r FULL JOIN balance b USING (company_id)
      WHERE (coalesce(r.bill, 0), coalesce(r.fee, 0)) <> (coalesce(b.bill, 0), coalesce(b.fee, 0))`,
  },
  {
    holds: 'the history of each payment is a path of allowed steps to its state',
    of: STEPS,
    violations: `WITH steps AS (SELECT h.*, e.event IS NULL AS unknown,
        lag(h.to_state, 1, '') OVER path AS before, row_number() OVER path AS no
        FROM (SELECT * FROM ${STEPS}) h LEFT JOIN status_edge e USING (machine, from_state, to_state, event)
        WINDOW path AS (PARTITION BY h.company_id, h.subject_id ORDER BY h.seq)),
      paths AS (SELECT company_id, subject_id AS id, bool_and(NOT unknown AND from_state = before AND seq = no) AS legal,
        (array_agg(to_state ORDER BY seq DESC))[1] AS last FROM steps GROUP BY 1, 2)
      SELECT company_id, 'payment P' || id || CASE WHEN o.status IS NULL THEN ' is gone, and its history is there' WHEN p.last IS NULL THEN ' has no history'
        WHEN NOT p.legal THEN ' made a step that is not allowed' ELSE ' has status ' || o.status || ', its history ends at ' || p.last END AS what
      FROM payment_order o FULL JOIN paths p USING (company_id, id)
      WHERE p.legal IS NOT TRUE OR p.last IS DISTINCT FROM o.status::text`,
  },
  {
    holds: 'the kept, refunded and returned amounts of each payment match the ledger',
    of: 'payment_order',
    violations: `SELECT o.company_id, 'payment P' || o.id || ' says that ' || concat_ws(' + ', ${cameOf('o')}) ||
        ' cents were kept, refunded and returned (bill and fee of each), the ledger ' || concat_ws(' + ', ${cameOf('l')}) AS what
      FROM payment_order o LEFT JOIN ledger_payment l ON l.company_id = o.company_id AND l.order_id = o.id
      WHERE (${cameOf('o')}) IS DISTINCT FROM (${cameOf('l')})`,
  },
  {
    holds: 'the daily sums of each company match its ledger',
    of: 'payment_day',
    violations: `SELECT company_id, movement_type || ' of payments of ' || made_on || ' on ' || moved_on || ': the day says ' ||
        concat_ws(' + ', coalesce(d.bill_cents, 0), coalesce(d.fee_cents, 0), coalesce(d.absorbed_cents, 0)) || ' cents (bill, fee, absorbed), the ledger ' ||
        concat_ws(' + ', coalesce(l.bill_cents, 0), coalesce(l.fee_cents, 0), coalesce(l.absorbed_cents, 0)) AS what
      FROM payment_day d FULL JOIN ledger_day l USING (company_id, made_on, moved_on, movement_type, method, location, absorbs, program, mode, provider)
      WHERE (d.payments, d.bill_cents, d.fee_cents, d.absorbed_cents) IS DISTINCT FROM (l.payments, l.bill_cents, l.fee_cents, l.absorbed_cents)`,
  },
  {
    holds: 'the daily sums of earnings match the ledger',
    of: 'earning_day',
    violations: `SELECT company_id, day || ', ' || account || ' against ' || other || ': the day says ' || coalesce(d.cents, 0) || ' cents, the ledger ' || coalesce(l.cents, 0) AS what
      FROM earning_day d FULL JOIN (SELECT company_id, day, account, other, sum(cents)::bigint AS cents FROM ledger_earning GROUP BY 1, 2, 3, 4) l
        USING (company_id, day, account, other)
      WHERE coalesce(d.cents, 0) <> coalesce(l.cents, 0)`,
  },
  {
    holds: 'the balance at each payment provider equals the ledger balance without a payout',
    of: 'held_movement',
    violations: `WITH due AS (SELECT company_id, source_ref, movement_type, source, sum(cents)::bigint AS cents, min(at) AS at, max(max(at)) OVER (PARTITION BY company_id) AS newest
        FROM ledger_held GROUP BY 1, 2, 3, 4),
      compared AS (SELECT company_id, source_ref, movement_type, source, coalesce(h.cents, 0) AS kept, coalesce(d.cents, 0) AS due
        FROM due d FULL JOIN held_movement h USING (company_id, source_ref, movement_type, source)
        WHERE coalesce(h.cents, 0) <> coalesce(d.cents, 0) AND (d.at IS NULL OR d.at >= d.newest - interval '35 days'))
      SELECT c.company_id, c.movement_type || ' ' || c.source_ref || ' of ' || c.source || ': ' || c.kept || ' cents are kept as held, the ledger has ' || c.due AS what
      FROM compared c LEFT JOIN payout_line l ON l.company_id = c.company_id AND l.source_ref = c.source_ref AND l.movement_type = c.movement_type AND l.provider = c.source
      WHERE l.line_no IS NULL`,
  },
  {
    holds: 'each event of the payment provider was applied, or is less than a day old',
    of: 'provider_event',
    violations: `SELECT NULL::int AS company_id, 'event ' || event_id || ' ' || CASE WHEN abandoned_at IS NULL THEN 'waits' ELSE 'was given up' END ||
        coalesce(': ' || last_error, '') AS what
      FROM provider_event WHERE applied_at IS NULL AND (abandoned_at IS NOT NULL OR received_at < now() - interval '1 day')`,
  },
]

/**
 * Returns the check that compares order lines with each kind's own settlements. It covers all registered kinds, so a
 * line with an unknown kind is an error.
 */
const settledCheck = (payables: readonly Payable[]): Check => ({
  holds: 'the settled amount of each line matches the item that it pays',
  of: 'payment_order_line',
  violations: `WITH told AS (${payables.map(({ kind, settled }) => `SELECT '${kind}' AS kind, s.* FROM (${settled}) s`).join(' UNION ALL ')})
    SELECT company_id, 'payment P' || order_id || ', line ' || line_no || ': settled ' || coalesce(l.settled_cents, 0) || ' cents, the ' || kind || ' says ' || coalesce(t.cents, 0) AS what
    FROM payment_order_line l FULL JOIN told t USING (company_id, kind, payable_id, order_id, line_no)
    WHERE coalesce(l.settled_cents, 0) <> coalesce(t.cents, 0)`,
})

/**
 * Checks the money of all companies as of a single point in time, and only reads data. The portal may be running or
 * stopped. `platformUrl` connects as the database role that sees every company.
 */
export async function verifyLedger(platformUrl: string): Promise<Ledgers> {
  const client = new pg.Client(connectionTo(platformUrl, 'verify'))
  client.on('error', () => {})
  try {
    await client.connect()
    // With this setting, a query fails if row-level security would hide rows.
    await client.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL row_security = off; SET LOCAL statement_timeout = 0',
    )
    return await verifyOn(client)
  } finally {
    await client.end()
  }
}

/** Runs the check in the caller's transaction, which must see the rows of every company. */
export async function verifyOn(client: pg.ClientBase): Promise<Ledgers> {
  // The planner cannot estimate the size of these sums. Each check reads all rows, so nested loops are always slower.
  await client.query('SET LOCAL enable_nestloop = off')
  const findings: Finding[] = []
  for (const check of [...CHECKS, settledCheck(allPayables())])
    findings.push(await makeCheck(async (text) => (await client.query(text)).rows, check))
  return { findings, companies: await companiesOf(client) }
}

async function companiesOf(client: pg.ClientBase): Promise<Ledgers['companies']> {
  const { rows } = await client.query<Ledgers['companies'][number]>(
    `WITH ${ORDERS} SELECT c.id, c.name, count(o.id) AS orders, coalesce(sum(o.bill), 0)::bigint AS "billCents", coalesce(sum(o.fee), 0)::bigint AS "feeCents"
    FROM company c LEFT JOIN orders o ON o.company_id = c.id GROUP BY c.id, c.name ORDER BY c.id`,
  )
  return rows
}

/** Formats the results of the companies for a terminal. */
export const describeCompanies = (companies: Ledgers['companies']): string[] =>
  companies.map(
    ({ name, orders, billCents, feeCents }) =>
      `${name}: ${orders.toLocaleString('en-US')} payments, ${formatCents(billCents)} for the municipality, ${formatCents(feeCents)} in fees`,
  )
