import pg from 'pg'
import { connectionTo } from '../../../../server/db/pool.ts'
import type { Finding } from '../../../../server/verify.ts'
import { formatCents } from '../../../../shared/money.ts'
import type { Movement, Provider } from '../providers/provider.ts'

const PAGE = 100
const MAX_VISIBLE = 5
const AN_HOUR_MS = 3_600_000

/** Balance of one company at the provider in integer cents, by the provider's movements and by the ledger. */
export interface ProviderBalance {
  name: string
  providerCents: number
  ledgerCents: number
}

/** A charge, refund, dispute or payout on which the provider and the ledger disagree. */
interface Difference {
  company: number | null
  /** Readable message: "the provider moved …, the ledger …". */
  what: string
}

/**
 * Compares all movements of the provider with the ledger of every company, object by object. A movement during the
 * check can appear on one side first. If the check finds differences, the check therefore runs again, and only
 * differences found both times count.
 * @throws ProviderSilent
 */
export async function verifyProvider(
  provider: Provider,
  platformUrl: string,
): Promise<{ finding: Finding; companies: ProviderBalance[] }> {
  const client = new pg.Client(connectionTo(platformUrl, 'verify'))
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SET row_security = off; SET statement_timeout = 0')
    let compared = await compare(client, provider)
    if (compared.differences.length > 0) {
      const before = new Set(compared.differences.map(({ what }) => what))
      compared = await compare(client, provider)
      compared.differences = compared.differences.filter(({ what }) => before.has(what))
    }
    const { differences, looked, companies } = compared
    const finding = {
      holds: 'the provider’s movements match the ledger for each charge, refund, return, dispute and payout',
      looked,
      violations: differences.length,
      first: differences
        .slice(0, MAX_VISIBLE)
        .map(({ company, what }) => `${company === null ? 'no town' : `town ${company}`}: ${what}`),
    }
    return { finding, companies }
  } finally {
    await client.end()
  }
}

async function compare(client: pg.Client, provider: Provider) {
  const providerObjects = await objectsOf(provider)
  const paidOut = await payoutsOf(client, provider)
  const { rows: ours } = await client.query<{ company: number; ref: string; cents: number }>(
    `SELECT company_id AS company, source_ref AS ref, sum(CASE 'gateway_clearing' WHEN debit_account THEN amount_cents ELSE -amount_cents END)::bigint AS cents
     FROM ledger_transfer WHERE source = $1 AND 'gateway_clearing' IN (debit_account, credit_account) GROUP BY 1, 2`,
    [provider.name],
  )
  const booked = new Set(ours.map(({ company, ref }) => keyOf(company, ref)))
  // The ledger may not yet contain a payout from the last hour. Such a payout is compared only if the ledger contains
  // it.
  const hourAgo = Date.now() - AN_HOUR_MS
  for (const { at, ...payout } of paidOut) {
    const key = keyOf(payout.company, payout.ref)
    if (booked.has(key) || at.getTime() <= hourAgo) providerObjects.set(key, payout)
  }
  const balances = new Map<number | null, { providerCents: number; ledgerCents: number }>()
  const add = (company: number | null, of: 'providerCents' | 'ledgerCents', cents: number) => {
    const sums = balances.get(company) ?? { providerCents: 0, ledgerCents: 0 }
    sums[of] += Number(cents)
    balances.set(company, sums)
  }
  const differences: Difference[] = []
  for (const { company, ref, cents } of ours) {
    const their = providerObjects.get(keyOf(company, ref))
    providerObjects.delete(keyOf(company, ref))
    add(company, 'ledgerCents', cents)
    add(company, 'providerCents', their?.cents ?? 0)
    if (Number(cents) !== (their?.cents ?? 0))
      differences.push({ company, what: differ(ref, their?.cents ?? 0, Number(cents)) })
  }
  for (const { company, ref, cents } of await withoutTrials(client, [...providerObjects.values()])) {
    add(company, 'providerCents', cents)
    if (cents !== 0) differences.push({ company, what: differ(ref, cents, 0) })
  }
  const { rows: names } = await client.query<{ id: number; name: string }>('SELECT id, name FROM company ORDER BY id')
  const companies = names.flatMap(({ id, name }) => {
    const sums = balances.get(id)
    return sums ? [{ name, ...sums }] : []
  })
  return { differences, looked: ours.length + providerObjects.size, companies }
}

interface ProviderObject {
  company: number | null
  ref: string
  intentId: string
  cents: number
}

const keyOf = (company: number | null, ref: string) => `${company}/${ref}`
const differ = (ref: string, providerCents: number, ours: number) =>
  `of ${ref} the provider moved ${formatCents(providerCents)}, the ledger ${formatCents(ours)}`

/** Adds up the movements of each charge, refund and dispute. */
async function objectsOf(provider: Provider): Promise<Map<string, ProviderObject>> {
  const objects = new Map<string, ProviderObject>()
  for await (const { companyId: company, objectId: ref, intentId, amountCents } of allMovements(provider)) {
    const entry = objects.get(keyOf(company, ref)) ?? { company, ref, intentId, cents: 0 }
    entry.cents += amountCents
    objects.set(keyOf(company, ref), entry)
  }
  return objects
}

/** Lists the payouts of companies. Skips accounts without a company, which someone created to test the provider. */
async function payoutsOf(
  client: pg.Client,
  { name, settlement }: Provider,
): Promise<(ProviderObject & { at: Date })[]> {
  if (!settlement) return []
  const { rows } = await client.query<{ company: number; account: string }>(
    'SELECT company_id AS company, account FROM provider_account WHERE provider = $1',
    [name],
  )
  const companyByAccount = new Map(rows.map(({ company, account }) => [account, company]))
  const paid: (ProviderObject & { at: Date })[] = []
  for (const of of settlement.byAccount ? companyByAccount.keys() : ['']) {
    for (let after: string | null = null, more = true; more;) {
      const page: Awaited<ReturnType<typeof settlement.listPayouts>> = await settlement.listPayouts(of, after, PAGE)
      for (const { id, account, amountCents, feeCents, at } of page.payouts) {
        const company = companyByAccount.get(account)
        if (company !== undefined) paid.push({ company, ref: id, intentId: id, cents: -amountCents - feeCents, at })
      }
      after = page.payouts.at(-1)?.id ?? after
      more = page.more
    }
  }
  return paid
}

async function* allMovements(provider: Provider): AsyncGenerator<Movement> {
  let after: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<Provider['listMovements']>> = await provider.listMovements(after, PAGE)
    yield* page.movements
    after = page.movements.at(-1)?.id ?? after
    if (!page.more) return
  }
}

/** Leaves out fully refunded charges without a payment, because they were made to test the provider. */
async function withoutTrials(client: pg.Client, unknown: readonly ProviderObject[]): Promise<ProviderObject[]> {
  const left = new Map<string, number>()
  for (const { intentId, cents } of unknown) left.set(intentId, (left.get(intentId) ?? 0) + cents)
  const { rows } = await client.query<{ id: string }>(
    'SELECT intent_id AS id FROM payment_attempt WHERE intent_id = ANY($1)',
    [[...left.keys()]],
  )
  const attempts = new Set(rows.map(({ id }) => id))
  return unknown.filter(({ intentId }) => attempts.has(intentId) || left.get(intentId) !== 0)
}

/** Formats the balances for a terminal. */
export const describeBalances = (balances: readonly ProviderBalance[]): string[] =>
  balances.map(
    ({ name, providerCents, ledgerCents }) =>
      `${name}: the provider holds ${formatCents(providerCents)}, by the ledger ${formatCents(ledgerCents)}`,
  )
