import pg from 'pg'
import { connectionTo } from '../../../server/db/pool.ts'
import { formatCents } from '../../../shared/money.ts'

/** What one check looked at, and what it found wrong. */
export interface Finding {
  /** What holds where nothing is wrong. */
  holds: string
  /** How many things were looked at. */
  looked: number
  wrong: number
  /** The first of them: the town's id, what, and what is wrong with it. */
  first: string[]
}

export interface Verified {
  findings: Finding[]
  /** For each town: what the ledger holds for it, and the fees that payers paid. Integer cents. */
  towns: { id: number; name: string; orders: number; billCents: number; feeCents: number }[]
}

const MOST_SHOWN = 5

/** Each query answers the things that are wrong: `company_id`, and a sentence. `of` is the table that it looks through. */
interface Check {
  holds: string
  of: string
  wrong: string
}

/** What an order should hold by its own row, and what the ledger says it does; fees go back by the rule of refunds. */
const ORDERS = `
  moved AS (SELECT * FROM ledger_transfer WHERE kind ~ '^(capture|return|refund)[.]'),
  held AS (
    SELECT t.company_id, t.order_id,
      sum(CASE 'payable_municipality' WHEN t.credit_account THEN t.amount_cents WHEN t.debit_account THEN -t.amount_cents ELSE 0 END) AS bill,
      sum(CASE WHEN 'absorbed_fee' IN (t.debit_account, t.credit_account) THEN 0
        WHEN t.credit_account = 'fee_revenue' THEN t.amount_cents WHEN t.debit_account = 'fee_revenue' THEN -t.amount_cents ELSE 0 END) AS fee,
      sum(CASE 'absorbed_fee' WHEN t.debit_account THEN t.amount_cents WHEN t.credit_account THEN -t.amount_cents ELSE 0 END) AS absorbed,
      bool_or(t.kind LIKE 'capture.%') AS captured
    FROM moved t WHERE t.order_id IS NOT NULL GROUP BY 1, 2
  ),
  fees AS (
    SELECT o.*, floor(o.fee_cents::numeric * o.refunded_cents / o.total_cents) AS fee_back,
      floor(o.absorbed_fee_cents::numeric * o.refunded_cents / o.total_cents) AS absorbed_back
    FROM payment_order o
  ),
  orders AS (
    SELECT f.company_id, f.id, f.status, coalesce(h.captured, false) AS captured,
      CASE WHEN f.status IN (1, 3) THEN f.bill_cents - (f.refunded_cents - f.fee_back) ELSE 0 END AS due_bill,
      CASE WHEN f.status IN (1, 3) THEN f.fee_cents - f.fee_back ELSE 0 END AS due_fee,
      CASE WHEN f.status IN (1, 3) THEN f.absorbed_fee_cents - f.absorbed_back ELSE 0 END AS due_absorbed,
      coalesce(h.bill, 0) AS bill, coalesce(h.fee, 0) AS fee, coalesce(h.absorbed, 0) AS absorbed
    FROM fees f LEFT JOIN held h ON h.company_id = f.company_id AND h.order_id = f.id
  )`

/** What came of a payment, by its own row or by the ledger, which has no line for one that moved nothing. */
const cameOf = (row: string) =>
  ['kept', 'refunded', 'returned']
    .flatMap((part) => [`${part}_bill_cents`, `${part}_fee_cents`])
    .map((column) => `coalesce(${row}.${column}, 0)`)
    .join(', ')

const CHECKS: Check[] = [
  {
    holds: 'every entry of the ledger is about one payment and one thing that happened to it',
    of: 'ledger_transfer',
    wrong: `SELECT company_id, 'entry ' || entry_id || ' is about several' AS what FROM ledger_transfer
      GROUP BY company_id, entry_id HAVING count(DISTINCT (coalesce(order_id, 0), source, source_ref)) > 1`,
  },
  {
    holds: 'in every entry debits equal credits, each on an account of the town’s ledger',
    of: 'ledger_transfer',
    wrong: `SELECT t.company_id, 'entry ' || t.entry_id || ' is out of balance' AS what FROM ledger_transfer t
      LEFT JOIN ledger_account d ON d.company_id = t.company_id AND d.code = t.debit_account
      LEFT JOIN ledger_account c ON c.company_id = t.company_id AND c.code = t.credit_account
      GROUP BY t.company_id, t.entry_id
      HAVING sum(CASE WHEN d.code IS NULL THEN 0 ELSE t.amount_cents END) <> sum(CASE WHEN c.code IS NULL THEN 0 ELSE t.amount_cents END)
        OR bool_or(t.amount_cents <= 0 OR d.code IS NULL OR c.code IS NULL OR t.debit_account = t.credit_account)`,
  },
  {
    holds: 'the trial balance of every town is zero',
    of: 'company',
    wrong: `SELECT a.company_id, 'the accounts add up to ' || sum(l.cents) || ' cents' AS what FROM ledger_account a
      JOIN (SELECT company_id, debit_account AS code, amount_cents AS cents FROM ledger_transfer
        UNION ALL SELECT company_id, credit_account, -amount_cents FROM ledger_transfer) l ON l.company_id = a.company_id AND l.code = a.code
      GROUP BY a.company_id HAVING sum(l.cents) <> 0`,
  },
  {
    holds: 'no transfer is without the payment that it is about',
    of: 'ledger_transfer',
    wrong: `SELECT t.company_id, 'transfer ' || t.id || ' (' || t.kind || ') has no payment' AS what FROM ledger_transfer t
      LEFT JOIN payment_order o ON o.company_id = t.company_id AND o.id = t.order_id
      WHERE o.id IS NULL AND (t.order_id IS NOT NULL OR t.kind ~ '^(capture|return|refund)[.]')`,
  },
  {
    holds: 'a payment that is Successful or Refunded was captured, and no other holds money',
    of: 'payment_order',
    wrong: `WITH ${ORDERS} SELECT company_id, 'payment P' || id || ' has status ' || status || ' and the ledger holds ' || bill + fee || ' cents' AS what
      FROM orders WHERE status IN (1, 3) AND NOT captured OR status NOT IN (1, 3) AND (bill, fee, absorbed) <> (0, 0, 0)`,
  },
  {
    holds: 'what the ledger holds of a payment is its bill and fee less what was refunded',
    of: 'payment_order',
    wrong: `WITH ${ORDERS} SELECT company_id, 'payment P' || id || ' holds ' || concat_ws(' + ', bill, fee, absorbed) ||
        ' cents (bill, fee, absorbed) instead of ' || concat_ws(' + ', due_bill, due_fee, due_absorbed) AS what
      FROM orders WHERE captured AND (bill, fee, absorbed) <> (due_bill, due_fee, due_absorbed)`,
  },
  {
    holds: 'a payment that was captured has an attempt that succeeded',
    of: 'payment_order',
    wrong: `SELECT o.company_id, 'payment P' || o.id || ' has no such attempt' AS what FROM payment_order o
      WHERE o.status IN (1, 3) AND NOT EXISTS (SELECT FROM payment_attempt a
        WHERE a.company_id = o.company_id AND a.order_id = o.id AND a.status = 1)`,
  },
  {
    holds: 'what the billing system is told of a payment is the bill’s part of it in the ledger',
    of: 'remittance',
    wrong: `WITH ${ORDERS}, told AS (SELECT company_id, order_id,
        sum(CASE kind WHEN 'credit' THEN amount_cents ELSE -amount_cents END) AS bill FROM remittance GROUP BY 1, 2)
      SELECT company_id, 'payment P' || coalesce(o.id, t.order_id) || ': told ' || coalesce(t.bill, 0) || ' cents, held ' || coalesce(o.bill, 0) AS what
      FROM (SELECT company_id, id AS order_id, id, bill FROM orders) o FULL JOIN told t USING (company_id, order_id)
      WHERE coalesce(t.bill, 0) <> coalesce(o.bill, 0)`,
  },
  {
    holds: 'the report’s totals are the balances of the ledger',
    of: 'company',
    wrong: `WITH ${ORDERS}, reported AS (SELECT company_id, sum(bill) AS bill, sum(fee) AS fee FROM orders GROUP BY 1),
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
    holds: 'every payment’s history is a path of allowed steps that ends at its status',
    of: 'order_status_history',
    wrong: `WITH steps AS (SELECT h.*, e.event IS NULL AS unknown,
        lag(h.to_status, 1, -1) OVER path AS before, row_number() OVER path AS no
        FROM order_status_history h LEFT JOIN order_status_edge e USING (from_status, to_status, event)
        WINDOW path AS (PARTITION BY h.company_id, h.order_id ORDER BY h.seq)),
      paths AS (SELECT company_id, order_id, bool_and(NOT unknown AND from_status = before AND seq = no) AS legal,
        (array_agg(to_status ORDER BY seq DESC))[1] AS last FROM steps GROUP BY 1, 2)
      SELECT o.company_id, 'payment P' || o.id || CASE WHEN p.order_id IS NULL THEN ' has no history'
        WHEN NOT p.legal THEN ' made a step that is not allowed' ELSE ' has status ' || o.status || ', its history ends at ' || p.last END AS what
      FROM payment_order o LEFT JOIN paths p ON p.company_id = o.company_id AND p.order_id = o.id
      WHERE p.legal IS NOT TRUE OR p.last <> o.status`,
  },
  {
    holds: 'what a payment says was kept, refunded and returned of it is what the ledger says',
    of: 'payment_order',
    wrong: `SELECT o.company_id, 'payment P' || o.id || ' says that ' || concat_ws(' + ', ${cameOf('o')}) ||
        ' cents were kept, refunded and returned (bill and fee of each), the ledger ' || concat_ws(' + ', ${cameOf('l')}) AS what
      FROM payment_order o LEFT JOIN ledger_payment l ON l.company_id = o.company_id AND l.order_id = o.id
      WHERE (${cameOf('o')}) IS DISTINCT FROM (${cameOf('l')})`,
  },
  {
    holds: 'the sums of every town’s days are those of its ledger',
    of: 'payment_day',
    wrong: `SELECT company_id, way || ' of payments of ' || made_on || ' on ' || moved_on || ': the day says ' ||
        concat_ws(' + ', coalesce(d.bill_cents, 0), coalesce(d.fee_cents, 0), coalesce(d.absorbed_cents, 0)) || ' cents (bill, fee, absorbed), the ledger ' ||
        concat_ws(' + ', coalesce(l.bill_cents, 0), coalesce(l.fee_cents, 0), coalesce(l.absorbed_cents, 0)) AS what
      FROM payment_day d FULL JOIN ledger_day l USING (company_id, made_on, moved_on, way, method, location, absorbs)
      WHERE (d.payments, d.bill_cents, d.fee_cents, d.absorbed_cents) IS DISTINCT FROM (l.payments, l.bill_cents, l.fee_cents, l.absorbed_cents)`,
  },
]

/**
 * Looks through the money of all towns, as of one moment, and changes nothing. Whether a portal runs does not matter.
 * `platformUrl`: the role that sees every town.
 */
export async function verifyLedger(platformUrl: string): Promise<Verified> {
  const client = new pg.Client(connectionTo(platformUrl, 'verify'))
  client.on('error', () => {})
  try {
    await client.connect()
    // Where row-level security would hide rows, this fails.
    await client.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL row_security = off; SET LOCAL statement_timeout = 0',
    )
    return await verifyOn(client)
  } finally {
    await client.end()
  }
}

/** The same in the caller's transaction, which must see every town's rows. */
export async function verifyOn(client: pg.ClientBase): Promise<Verified> {
  const findings: Finding[] = []
  for (const check of CHECKS) findings.push(await make(client, check))
  return { findings, towns: await townsOf(client) }
}

async function make(client: pg.ClientBase, { holds, of, wrong }: Check): Promise<Finding> {
  const { rows } = await client.query<{ looked: string; wrong: string; first: string[] }>(
    `SELECT (SELECT count(*) FROM ${of}) AS looked, count(*) AS wrong,
      (array_agg('town ' || company_id || ': ' || what ORDER BY company_id, what))[1:${MOST_SHOWN}] AS first FROM (${wrong}) AS found`,
  )
  const [row] = rows
  return { holds, looked: Number(row?.looked), wrong: Number(row?.wrong), first: row?.first ?? [] }
}

async function townsOf(client: pg.ClientBase): Promise<Verified['towns']> {
  const { rows } = await client.query<Verified['towns'][number]>(
    `WITH ${ORDERS} SELECT c.id, c.name, count(o.id) AS orders, coalesce(sum(o.bill), 0)::bigint AS "billCents", coalesce(sum(o.fee), 0)::bigint AS "feeCents"
    FROM company c LEFT JOIN orders o ON o.company_id = c.id GROUP BY c.id, c.name ORDER BY c.id`,
  )
  return rows
}

/** For a terminal: what was looked at, what is wrong. */
export function describeVerified({ findings, towns }: Verified): string[] {
  return [
    ...findings.flatMap(({ holds, looked, wrong, first }) => [
      `${wrong === 0 ? '✓' : '✗'} ${holds} (${wrong === 0 ? '' : `${wrong.toLocaleString('en-US')} wrong, `}${looked.toLocaleString('en-US')} looked at)`,
      ...first.map((line) => `    ${line}`),
    ]),
    ...towns.map(
      ({ name, orders, billCents, feeCents }) =>
        `${name}: ${orders.toLocaleString('en-US')} payments, ${formatCents(billCents)} for the town, ${formatCents(feeCents)} in fees`,
    ),
  ]
}

export const isSound = ({ findings }: Verified): boolean => findings.every(({ wrong }) => wrong === 0)
