import { sql } from 'kysely'
import { hasRow } from '../../../server/db/rows.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { post, transferOf } from '../../payments/server/ledger.ts'
import {
  type Payout,
  type PayoutLine,
  type Provider,
  ProviderRefused,
  type SettlementVerbs,
} from '../../payments/server/provider.ts'
import { allProviders } from '../../payments/server/providers.ts'
import { accountsAt } from '../../payments/server/settings.ts'
import { ledgerOfLine } from './ledger-of-line.ts'

const PAYOUTS_A_PAGE = 50
const LINES_A_PAGE = 500

/**
 * Reads on in the payouts of every provider from where they were last read, those of towns that have left it too, and keeps each with
 * what it is made of. Whatever dies, a payout is kept whole or not at all, once, and none is skipped. `only`: of the providers of
 * this town alone. Answers the towns that have new ones, and which providers could not be read.
 */
export async function readPayouts(
  context: AppContext,
  hasTime: () => boolean,
  only?: CompanyId,
): Promise<{ towns: Company[]; silent: string[] }> {
  const towns = new Map<CompanyId, Company>()
  const silent = new Set<string>()
  for (const provider of allProviders(context.config)) {
    const { settlement } = provider
    if (!settlement) continue
    const known = await accountsAt(context, provider.name)
    const asked = known.filter(({ company_id }) => only === undefined || company_id === only)
    const isNobodys = only !== undefined && asked.length === 0
    const accounts = settlement.byAccount || isNobodys ? asked.map(({ account }) => account) : ['']
    for (const account of accounts)
      if (hasTime())
        await readPlace(context, { provider, settlement, account }, hasTime, towns).catch((error: unknown) => {
          // The payouts of the others are read all the same.
          silent.add(provider.name)
          context.log.warn({ err: error, provider: provider.name, account }, 'payouts are read again later')
        })
  }
  return { towns: [...towns.values()], silent: [...silent] }
}

/** Where one goes on to read: a provider's payouts of one account, or with the account empty those of all. */
interface Source {
  provider: Provider
  settlement: SettlementVerbs
  account: string
}

async function readPlace(
  context: AppContext,
  source: Source,
  hasTime: () => boolean,
  towns: Map<CompanyId, Company>,
): Promise<void> {
  const { provider, settlement, account } = source
  for (let more = true; more && hasTime();) {
    const place = await placeOf(context, source)
    const page = await settlement.listPayouts(account, place, PAYOUTS_A_PAGE).catch((error: unknown) => {
      // Another gateway, or one that was restored from a backup: from the beginning, since what is kept is left out.
      if (place !== null && error instanceof ProviderRefused)
        return settlement.listPayouts(account, null, PAYOUTS_A_PAGE)
      throw error
    })
    for (const payout of page.payouts) {
      const town = await townOf(context, provider.name, payout.account)
      // An account that is no town's any more was made to try the provider.
      if (town && (await takePayout(context, town, provider, settlement, payout))) towns.set(town.id, town)
      await keepPlace(context, source, payout.id)
    }
    more = page.more
  }
}

const placeOf = async (context: AppContext, { provider, account }: Source): Promise<string | null> =>
  (
    await context.outside((tx) =>
      tx
        .selectFrom('payout_place')
        .select('payout_ref')
        .where('provider', '=', provider.name)
        .where('account', '=', account)
        .executeTakeFirst(),
    )
  )?.payout_ref ?? null

const keepPlace = (context: AppContext, { provider: { name }, account }: Source, ref: string) => {
  const read = { payout_ref: ref, read_at: context.clock.now() }
  return context.outside((tx) =>
    tx
      .insertInto('payout_place')
      .values({ provider: name, account, ...read })
      .onConflict((on) => on.columns(['provider', 'account']).doUpdateSet(read))
      .execute(),
  )
}

async function townOf(context: AppContext, provider: string, account: string): Promise<Company | null> {
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
  town: Company,
  { name }: Provider,
  settlement: SettlementVerbs,
  payout: Payout,
): Promise<boolean> {
  const known = { company_id: town.id, provider: name, provider_ref: payout.id }
  if (await context.inCompany(town.id, (tx) => hasRow(tx, 'payout', known))) return false
  const lines = await linesOf(settlement, payout)
  return context.inCompany(town.id, (tx) => keepPayout(tx, context, town, { provider: name, payout, lines }))
}

/** All of them, before the transaction that keeps them begins. */
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

/** Writes a payout, its lines beside what the ledger says of each, and what it moves: what is under way to the bank, and what it cost. */
export async function keepPayout(
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
      // No bank tells of nothing: nobody waits for it.
      ...(net === 0 && { deposited_cents: 0, deposited_on: arrivesOn }),
    })
    .onConflict((on) => on.constraint('payout_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return false
  await sql`
    INSERT INTO payout_line (company_id, payout_id, line_no, provider, movement, way, source_ref, amount_cents, cost_cents, at, ledger_cents, order_id)
    SELECT ${company}, ${row.id}, l.no, ${provider}, l.movement, l.way, l.ref, l.cents, l.cost, l.at, coalesce(m.cents, 0), m.order_id
    FROM unnest(${lines.map((line) => line.id)}::text[], ${lines.map(({ way }) => way)}::text[], ${lines.map((line) => line.objectId)}::text[],
      ${lines.map((line) => line.amountCents)}::bigint[], ${lines.map((line) => line.feeCents)}::bigint[],
      ${lines.map((line) => line.at.toISOString())}::timestamptz[]) WITH ORDINALITY AS l(movement, way, ref, cents, cost, at, no)
    LEFT JOIN LATERAL ${ledgerOfLine(company, provider, sql`l.ref`, sql`l.way`)} m ON true`.execute(tx)
  await sql`
    DELETE FROM held_movement h USING payout_line l WHERE l.company_id = ${company} AND l.payout_id = ${row.id}
      AND h.company_id = ${company} AND h.source_ref = l.source_ref AND h.way = l.way AND h.source = l.provider`.execute(
    tx,
  )
  await post(tx, company, { orderId: null, source: provider, sourceRef: ref, at: context.clock.now() }, [
    // Where more went back than was taken, the provider takes it from the town's bank.
    transferOf({ kind: 'payout.net' }, 'deposits_in_transit', 'gateway_clearing', net),
    transferOf({ kind: 'payout.cost' }, 'provider_cost', 'gateway_clearing', cost),
  ])
  // From the first payout on everything that is taken has to be paid out: before, nobody followed it.
  const first = lines.reduce((least, line) => (line.at < least ? line.at : least), at)
  await tx
    .updateTable('payment_settings')
    .set({ reconciled_since: dateIn(timeZone, first) })
    .where('company_id', '=', company)
    .where('reconciled_since', 'is', null)
    .execute()
  return true
}
