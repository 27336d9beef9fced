import type pg from 'pg'
import { openCheckout } from '../../features/payments/server/orders/checkout.ts'
import type { ProviderEvent } from '../../features/payments/server/providers/provider.ts'
import { provideInstead } from '../../features/payments/server/providers/providers.ts'
import type { AmountDue } from '../../features/payments/rules.ts'
import type { ProviderModel, Scenario } from '../provider-model.ts'
import { fatefully, unharmed } from './fates.ts'
import { ENROLLED, type feeModes, NUMBERED, ITEMS, TICKET } from './steps.ts'
import { startDay, NEVER, todayIn, type RunCompany, HOST } from './company.ts'

/** Item in a cart, as the payment page shows it. */
export type VisibleItem = AmountDue & { no: number }

interface Tab {
  token: string
  seen: VisibleItem[]
  last: { key: string; body: object } | null
  added: Set<number>
}

interface RunItem {
  kind: string
  id: number
  /** Amount due before late fees, in cents. */
  owed: number
}

/** Initial conditions of a run. */
export interface RunOptions {
  tabs: readonly number[][]
  /** Scenario of the saved payment method that AutoPay charges. */
  stored: Exclude<Scenario, 'challenge'>
  /** True if, from the start of the run, an unpaid charge reserves the only available number. */
  held: boolean
  fees: (typeof feeModes)[number]
}

/**
 * State of one run: the provider, the items to pay, the browser tabs in which some of them are paid, and the responses.
 */
export interface Run {
  company: RunCompany
  provider: ProviderModel
  items: RunItem[]
  ticket: { id: number; citation: string; plate: string }
  autopayId: number
  tabs: Tab[]
  /** Tokens of all carts. After a cart is paid, a new cart replaces it. */
  tokens: string[]
  /**
   * Items removed from a cart. `after` is the newest order at the removal. `until` is the newest order when the item
   * was added again.
   */
  removed: { token: string; kind: string; id: number; after: number; until: number }[]
  /** Periods in which the ticket was contested. `from` and `to` are ids of payment attempts. */
  contested: { from: number; to: number; lateCents: number }[]
  /**
   * For each decision on a contest, the id of the newest payment attempt at its start. Includes decisions that failed.
   * A decision without `isDone` is late, so it may still end a contest that starts after it.
   */
  decisions: { attempt: number; isDone: boolean }[]
  responses: Map<string, string>
  /** Ids of orders that were paid at the counter, as the calls returned them. */
  counterOrders: Set<number>
  deliveredEvents: ProviderEvent[]
  /** Reasons that staff gave for refunds. Each reason is unique. */
  reasons: string[]
  thaw: PromiseWithResolvers<void>
  works: Promise<unknown>[]
}

export async function openRun(runCompany: RunCompany, { tabs, stored, held, fees }: RunOptions): Promise<Run> {
  const { portal, company } = runCompany
  const { owner, clock } = portal
  const n = runCompany.runs++
  await startDay(runCompany)
  const provider = runCompany.openProvider()
  provideInstead(portal.config, fatefully(runCompany.through(provider)))
  // Cleans up after an earlier run that failed, because it can leave an AutoPay enrollment and a ticket with late fees.
  await owner.query(`UPDATE autopay SET state = 'ended', ended_at = now() WHERE state IN ('active', 'paused')`)
  await owner.query(`UPDATE parking_ticket SET counted_from = '${NEVER}' WHERE counted_from < '${NEVER}'`)
  await chargeFees(owner, fees)

  const { rows } = await owner.query<{ id: number }>(
    'SELECT id FROM utility_account WHERE account_number = ANY($1) ORDER BY account_number',
    [[`7${n * 2}`, `7${n * 2 + 1}`]],
  )
  const idOf = (index: number) => (index < 2 ? (rows[index]?.id ?? 0) : n * ITEMS.length + index)
  const items = ITEMS.map(({ kind, owed }, index) => ({ kind, owed, id: idOf(index) }))
  const ticket = { id: idOf(TICKET), citation: `MG-${n}`, plate: `R${n}` }
  await owner.query('UPDATE parking_ticket SET counted_from = $2, due_on = $2 WHERE id = $1', [
    ticket.id,
    todayIn(runCompany),
  ])
  if (held) await holdNumber(runCompany, n, idOf(NUMBERED[0]))
  const carts = tabs.map((numbers) => numbers.flatMap((one) => items[one] ?? []))
  const opened = await portal.context.inCompany(company, (tx) =>
    Promise.all(
      carts.map(async (inCart) => {
        const refs = inCart.map(({ kind, id }) => ({ kind, id }))
        const token = await openCheckout(tx, portal.context, company, refs)
        const seen = inCart.map((one, at) => ({
          no: at + 1,
          owedCents: one.owed,
          takesCredit: one.kind === 'utility',
          inFull: NUMBERED.some((numbered) => items[numbered] === one),
        }))
        return { token, seen, last: null, added: new Set<number>() }
      }),
    ),
  )
  return {
    company: runCompany,
    provider,
    items,
    ticket,
    autopayId: await enroll(runCompany, idOf(ENROLLED), provider.store(stored), stored),
    tabs: opened,
    tokens: opened.map(({ token }) => token),
    removed: [],
    contested: [],
    decisions: [],
    responses: new Map(),
    counterOrders: new Set(),
    deliveredEvents: [],
    reasons: [],
    thaw: Promise.withResolvers(),
    works: [],
  }

  async function holdNumber(at: RunCompany, run: number, charge: number): Promise<void> {
    await at.portal.owner.query('UPDATE payment_stock SET charge_id = $2 WHERE number = $1', [`T-${run}`, charge])
    await at.portal.owner.query('UPDATE general_charge SET stock_number = $2, held_until = $3 WHERE id = $1', [
      charge,
      `T-${run}`,
      new Date(clock.now().getTime() + 30 * 60_000),
    ])
  }
}

/** Changes fee rules directly in the database, because the portal does not let a company change an active rule. */
async function chargeFees(owner: pg.Pool, fees: RunOptions['fees']): Promise<void> {
  const mode = fees === 'together' ? 'single' : 'two_transactions'
  await owner.query(`
    DELETE FROM fee_rule WHERE kind = 'parking';
    UPDATE fee_rule SET mode = '${mode}' WHERE method = 1;
    INSERT INTO fee_rule (company_id, kind, method, channel, valid_from, program, mode, absorb, bps, fixed_cents, min_cents, max_cents, made_by)
    SELECT company_id, 'parking', method, channel, valid_from, program, 'single', absorb, bps, fixed_cents, min_cents, max_cents, made_by
    FROM fee_rule WHERE ${fees === 'but for tickets'} AND method = 1 AND brand IS NULL AND funding IS NULL AND NOT ends`)
}

/** Enrolls the resident's account in AutoPay. Plans a charge for today, which was already announced. */
async function enroll(runCompany: RunCompany, account: number, method: string, scenario: Scenario): Promise<number> {
  const { rows } = await runCompany.portal.owner.query<{ id: number }>(
    `WITH mine AS (
       SELECT a.company_id, a.id AS payable_id, a.account_number, l.person_id, b.bill_number, b.due_date, b.amount_cents
       FROM utility_account a JOIN linked_account l ON l.company_id = a.company_id AND l.account_id = a.id
       JOIN utility_bill b ON b.company_id = a.company_id AND b.account_id = a.id WHERE a.id = $1
     ), kept AS (
       INSERT INTO stored_method (company_id, person_id, method, provider, provider_customer, provider_method, method_label,
         mandate_text, mandate_at, mandate_address, mandate_device, created_at)
       SELECT company_id, person_id, $3, $5, '', $2, 'Ending 4242', 'I agree.', now(), '127.0.0.1', '', now() FROM mine RETURNING id
     ), enrolled AS (
       INSERT INTO autopay (company_id, person_id, kind, payable_id, reference, method_id, state, timing, days_before, day_of_month, enrolled_at, search_text)
       SELECT company_id, person_id, 'utility', payable_id, account_number, kept.id, 'active', 'due', 0, 0, now(), '' FROM mine, kept RETURNING id
     ), planned AS (
       INSERT INTO autopay_charge (company_id, autopay_id, kind, payable_id, bill, due_date, charge_on, state, notified_cents, created_at)
       SELECT company_id, enrolled.id, 'utility', payable_id, bill_number, due_date, $4, 'planned', amount_cents, now() FROM mine, enrolled
     )
     SELECT id FROM enrolled`,
    [account, method, scenario.startsWith('echeck') ? 2 : 1, todayIn(runCompany), runCompany.provider],
  )
  return rows[0]?.id ?? 0
}

/**
 * Returns the items that a payment page shows. This call has no planned outcomes, because the page is not under test.
 */
export async function visibleItemsOf({ portal }: RunCompany, token: string): Promise<VisibleItem[]> {
  const { body } = await unharmed(() => portal.post(HOST, 'return/guest/checkout', { token }))
  type Payable = { no: number; payableCents: number; takesCredit: boolean; inFull: boolean }
  return body.payables.map(({ no, payableCents, takesCredit, inFull }: Payable) => ({
    no,
    owedCents: payableCents,
    takesCredit,
    inFull,
  }))
}
