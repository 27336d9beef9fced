import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { COMPANY_IDS } from '../../../server/cursor.ts'
import { csvDollars, csvText, implementCsv } from '../../../server/csv.ts'
import { rowFinderById } from '../../../server/db/rows.ts'
import { notFound } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { dateIn, daysBetween } from '../../../shared/dates.ts'
import { exportPayoutLines, showPayout } from '../contract.ts'
import { hasSeveralProviders, providerName } from './provider-name.ts'
import { bankLines, exceptions, payouts, reconciledCompanies } from '../list.ts'

/** Maximum payout lines on the screen. The export has all of them. */
const MAX_VISIBLE = 100

/** SQL for a day as the screens show it, or an empty string if the day is null. */
const dayOrNothing = (day: string) => sql`coalesce(to_char(${sql.ref(day)}, 'Mon FMDD, YYYY'), '')`

const payoutRows = rowFinderById('payout', () => notFound('This payout was not found.'))

const showPayoutCall = implement(showPayout, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const row = await payoutRows.find(tx, company, call.body.id)
    const { rows: names } = await sql<{
      name: string
    }>`SELECT ${providerName(sql`${row.provider}::text`)} AS name`.execute(tx)
    const lines = await tx
      .selectFrom('payout_line')
      .select([
        'line_no as no',
        'at',
        'movement_type as movementType',
        'order_id as paymentId',
        'source_ref as sourceRef',
      ])
      .select(['amount_cents as amountCents', 'cost_cents as costCents', 'ledger_cents as ledgerCents'])
      .where('company_id', '=', company)
      .where('payout_id', '=', row.id)
      .orderBy(sql`amount_cents = ledger_cents`)
      .orderBy(sql`abs(amount_cents)`, 'desc')
      .orderBy('line_no')
      .limit(MAX_VISIBLE)
      .execute()
    return {
      id: row.id,
      provider: names[0]?.name ?? row.provider,
      trace: row.trace,
      paidAt: row.paid_at.toISOString(),
      arrivesOn: row.arrives_on,
      grossCents: row.gross_cents,
      costCents: row.cost_cents,
      netCents: row.net_cents,
      depositedCents: row.deposited_cents,
      depositedOn: row.deposited_on,
      lineCount: row.line_count,
      lines: lines.map(({ at, ...line }) => ({ ...line, at: at.toISOString() })),
    }
  }),
)

const exportPayoutLinesCall = implementCsv(exportPayoutLines, async ({ company, body }) => ({
  company,
  subject: `payout-${body.id}`,
  question: sql`
    SELECT line_no AS "Line", to_char(at AT TIME ZONE ${company.timeZone}, 'YYYY-MM-DD HH24:MI:SS') AS "Time", movement_type AS "Type", ${csvText(sql`source_ref`)} AS "Provider’s number",
      CASE WHEN order_id IS NULL THEN '' ELSE 'P' || order_id END AS "Payment", ${csvDollars('amount_cents')} AS "Amount", ${csvDollars('cost_cents')} AS "Cost",
      ${csvDollars('ledger_cents')} AS "Ledger"
    FROM payout_line WHERE company_id = ${company.id} AND payout_id = ${body.id} ORDER BY line_no`,
}))

export const listCalls = [
  showPayoutCall,
  exportPayoutLinesCall,
  ...implementList(payouts, {
    table: ({ question }) => (question.search ? sql`found_payout` : sql`payout`),
    columns: {
      paidAt: 'paid_at',
      trace: 'trace',
      payments: 'line_count',
      gross: 'gross_cents',
      cost: 'cost_cents',
      net: 'net_cents',
      arrivesOn: 'arrives_on',
      deposited: dayOrNothing('r.deposited_on'),
      differs: sql`coalesce(r.deposited_cents <> r.net_cents, false)`,
      provider: providerName(sql`r.provider`),
      hasSeveralProviders: hasSeveralProviders(sql`r.company_id`),
    },
    filters: {
      arrived: (arrived) => (arrived === 'yes' ? sql`r.deposited_cents IS NOT NULL` : sql`r.deposited_cents IS NULL`),
    },
    unindexed: { arrived: 'Nearly all payouts have arrived. Only a few of the newest have not.' },
    search: sql`r.search_text`,
    row: () => ({ can: { view: true } }),
    exported: 'export.payouts',
  }),
  ...implementList(bankLines, {
    table: ({ question }) => (question.search ? sql`found_bank_transaction` : sql`bank_transaction`),
    joins: sql`LEFT JOIN bank_statement s ON s.company_id = r.company_id AND s.id = r.statement_id`,
    columns: {
      day: 'booked_on',
      text: 'description',
      reference: 'reference',
      account: sql`coalesce(s.account, '')`,
      amount: 'amount_cents',
      became: 'became',
      decidedBy: 'finished_by',
      reason: 'reason',
    },
    search: sql`r.search_text`,
    row: () => ({ can: { view: true } }),
    exported: 'export.bank_lines',
  }),
  ...implementList(exceptions, {
    table: ({ question }) => (question.search ? sql`found_recon_exception` : sql`recon_exception`),
    columns: {
      day: 'on_day',
      kind: 'kind',
      about: 'about',
      amount: 'amount_cents',
      shortCents: sql`CASE WHEN r.status = 'open' AND r.amount_cents < 0 THEN -r.amount_cents ELSE 0 END`,
      overCents: sql`CASE WHEN r.status = 'open' AND r.amount_cents > 0 THEN r.amount_cents ELSE 0 END`,
      status: 'status',
      owner: 'owner_name',
      age: sql`0`,
      reason: 'reason',
    },
    search: sql`r.search_text`,
    unindexed: { kind: 'Few exceptions are open, and people search for closed ones within days.' },
    // Calculates the age here, because the database does not know the portal's clock.
    row: ({ day }, { company, context }) => ({
      can: { view: true },
      age: Math.max(0, daysBetween(day, dateIn(company.timeZone, context.clock.now()))),
    }),
    exported: 'export.recon_exceptions',
  }),
  ...implementList(reconciledCompanies, {
    table: sql`(
      SELECT c.id, c.name, c.name_key, ${dayOrNothing('d.closed')} AS closed, e.open, e.cents, ${dayOrNothing('e.oldest')} AS oldest, p.payouts, p.transit
      FROM company c
      LEFT JOIN LATERAL (SELECT max(last_day) AS closed FROM closed_period WHERE company_id = c.id AND kind = 'day') d ON true
      LEFT JOIN LATERAL (SELECT count(*)::int AS open, coalesce(sum(abs(amount_cents)), 0)::bigint AS cents, min(on_day) AS oldest
        FROM recon_exception WHERE company_id = c.id AND status = 'open') e ON true
      LEFT JOIN LATERAL (SELECT count(*)::int AS payouts, coalesce(sum(net_cents), 0)::bigint AS transit
        FROM payout WHERE company_id = c.id AND deposited_cents IS NULL) p ON true)`,
    highestId: COMPANY_IDS,
    columns: {
      name: 'name',
      closedThrough: 'closed',
      open: 'open',
      oldest: 'oldest',
      openCents: 'cents',
      pendingPayments: 'payouts',
      pendingCents: 'transit',
    },
    sorts: { name: 'name_key' },
    search: sql`r.name_key`,
    unindexed: { all: 'A municipality has few open items and payouts in transit, and each count uses an index.' },
    row: () => ({ can: { view: true } }),
  }),
]
