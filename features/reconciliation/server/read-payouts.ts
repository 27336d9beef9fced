import { sql } from 'kysely'
import { hasRow } from '../../../server/db/rows.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import {
  post,
  releaseHeld,
  transferOf,
  type Payout,
  type PayoutLine,
  type Provider,
  ProviderRefused,
  type SettlementVerbs,
  allProviders,
  accountsAt,
  startReconciliation,
} from '../../payments/api.ts'
import { ledgerOfLine } from './ledger-of-line.ts'

const PAYOUTS_A_PAGE = 50
const LINES_A_PAGE = 500

/**
 * Reads and saves new payouts of each provider, including providers that a company no longer uses. A crash neither
 * skips nor repeats a payout. `only` limits the read to the providers of one company. Returns the companies with new
 * payouts and the names of providers that failed.
 */
export async function readPayouts(
  context: AppContext,
  hasTime: () => boolean,
  only?: CompanyId,
): Promise<{ companies: Company[]; silent: string[] }> {
  const companies = new Map<CompanyId, Company>()
  const silent = new Set<string>()
  for (const provider of allProviders(context.config)) {
    const { settlement } = provider
    if (!settlement) continue
    const allAccounts = await accountsAt(context, provider.name)
    const selectedAccounts = allAccounts.filter(({ company_id }) => only === undefined || company_id === only)
    const isNobodys = only !== undefined && selectedAccounts.length === 0
    const accounts = settlement.byAccount || isNobodys ? selectedAccounts.map(({ account }) => account) : ['']
    for (const account of accounts)
      if (hasTime())
        await readSource(context, { provider, settlement, account }, hasTime, companies).catch((error: unknown) => {
          // A failure of one provider does not stop the others.
          silent.add(provider.name)
          context.log.warn({ err: error, provider: provider.name, account }, 'payouts are read again later')
        })
  }
  return { companies: [...companies.values()], silent: [...silent] }
}

/** Source of payouts with one read position: one account, or all accounts if `account` is empty. */
interface Source {
  provider: Provider
  settlement: SettlementVerbs
  account: string
}

async function readSource(
  context: AppContext,
  source: Source,
  hasTime: () => boolean,
  companies: Map<CompanyId, Company>,
): Promise<void> {
  const { provider, settlement, account } = source
  for (let more = true; more && hasTime();) {
    const position = await findPosition(context, source)
    const page = await settlement.listPayouts(account, position, PAYOUTS_A_PAGE).catch((error: unknown) => {
      // After a change of provider or a restored backup, the provider may not know the position. Reading then restarts
      // at the first payout and skips payouts that are already saved.
      if (position !== null && error instanceof ProviderRefused)
        return settlement.listPayouts(account, null, PAYOUTS_A_PAGE)
      throw error
    })
    for (const payout of page.payouts) {
      const company = await companyOf(context, provider.name, payout.account)
      // An account that belongs to no company was created only to test the provider.
      if (company && (await takePayout(context, company, provider, settlement, payout)))
        companies.set(company.id, company)
      await storePosition(context, source, payout.id)
    }
    more = page.more
  }
}

const findPosition = async (context: AppContext, { provider, account }: Source): Promise<string | null> =>
  (
    await context.outside((tx) =>
      tx
        .selectFrom('payout_position')
        .select('payout_ref')
        .where('provider', '=', provider.name)
        .where('account', '=', account)
        .executeTakeFirst(),
    )
  )?.payout_ref ?? null

const storePosition = (context: AppContext, { provider: { name }, account }: Source, ref: string) => {
  const read = { payout_ref: ref, read_at: context.clock.now() }
  return context.outside((tx) =>
    tx
      .insertInto('payout_position')
      .values({ provider: name, account, ...read })
      .onConflict((on) => on.columns(['provider', 'account']).doUpdateSet(read))
      .execute(),
  )
}

async function companyOf(context: AppContext, provider: string, account: string): Promise<Company | null> {
  const row = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('provider_account')
      .select('company_id')
      .where('provider', '=', provider)
      .where('account', '=', account)
      .executeTakeFirst(),
  )
  return row ? context.hosts.byId(companyIdFrom('provider-event', row.company_id)) : null
}

async function takePayout(
  context: AppContext,
  company: Company,
  { name }: Provider,
  settlement: SettlementVerbs,
  payout: Payout,
): Promise<boolean> {
  const payoutKey = { company_id: company.id, provider: name, provider_ref: payout.id }
  if (await context.inCompany(company.id, (tx) => hasRow(tx, 'payout', payoutKey))) return false
  const lines = await linesOf(settlement, payout)
  return context.inCompany(company.id, (tx) => storePayout(tx, context, company, { provider: name, payout, lines }))
}

/** Loads all lines of a payout. Called before the transaction that saves them. */
async function linesOf(settlement: SettlementVerbs, { account, id }: Payout): Promise<PayoutLine[]> {
  const lines: PayoutLine[] = []
  for (let more = true; more;) {
    const page = await settlement.listLines(account, id, lines.at(-1)?.id ?? null, LINES_A_PAGE)
    lines.push(...page.lines)
    more = page.more
  }
  return lines
}

interface PayoutInput {
  provider: string
  payout: Payout
  lines: readonly PayoutLine[]
}

/**
 * Saves a payout and its lines, each with the matching ledger amount. Books the net amount as in transit, and the
 * provider's cost.
 */
export async function storePayout(
  tx: Tx,
  context: Pick<AppContext, 'clock'>,
  { id: company, timeZone }: Pick<Company, 'id' | 'timeZone'>,
  { provider, payout, lines }: PayoutInput,
): Promise<boolean> {
  const { id: ref, trace, amountCents: net, feeCents: cost, arrivesOn, at } = payout
  const row = await tx
    .insertInto('payout')
    .values({
      company_id: company,
      provider,
      provider_ref: ref,
      trace,
      paid_at: at,
      arrives_on: arrivesOn,
      gross_cents: net + cost,
      cost_cents: cost,
      net_cents: net,
      line_count: lines.length,
      line_cents: lines.reduce((sum, line) => sum + line.amountCents - line.feeCents, 0),
      search_text: `${trace} ${ref}`.toLowerCase(),
      // A bank statement has no line for an amount of 0, so this payout counts as deposited.
      ...(net === 0 && { deposited_cents: 0, deposited_on: arrivesOn }),
    })
    .onConflict((on) => on.constraint('payout_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await sql`
    INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, movement_type, source_ref, amount_cents, cost_cents, at, ledger_cents, order_id)
    SELECT ${company}, ${row.id}, l.no, ${provider}, l.movement, l.movement_type, l.ref, l.cents, l.cost, l.at, coalesce(m.cents, 0), m.order_id
    FROM unnest(${lines.map((line) => line.id)}::text[], ${lines.map(({ movementType }) => movementType)}::text[], ${lines.map((line) => line.objectId)}::text[],
      ${lines.map((line) => line.amountCents)}::bigint[], ${lines.map((line) => line.feeCents)}::bigint[],
      ${lines.map((line) => line.at.toISOString())}::timestamptz[]) WITH ORDINALITY AS l(movement, movement_type, ref, cents, cost, at, no)
    LEFT JOIN LATERAL ${ledgerOfLine(company, provider, sql`l.ref`, sql`l.movement_type`)} m ON true`.execute(tx)
  await releaseHeld(tx, company, provider, lines)
  await post(tx, company, { orderId: null, source: provider, sourceRef: ref, at: context.clock.now() }, [
    // If refunds exceed payments, the provider debits the company's bank.
    transferOf({ kind: 'payout.net' }, 'deposits_in_transit', 'gateway_clearing', net),
    transferOf({ kind: 'payout.cost' }, 'provider_cost', 'gateway_clearing', cost),
  ])
  // The first payout starts the reconciliation. Every later payment must appear in a payout.
  const first = lines.reduce((earliest, line) => (line.at < earliest ? line.at : earliest), at)
  await startReconciliation(tx, company, dateIn(timeZone, first))
  return true
}
