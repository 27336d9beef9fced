import { BANKFILE_KEY, BANKFILE_SECRET, type BankReply, bankFile, openBankfile } from './bank.ts'
import type { TestDatabase } from './databases.ts'
import type { TestClock, TestPortal } from './harness.ts'
import * as shapes from './stripe/shapes.ts'
import type { RecordedStripe } from './stripe/recorded-stripe.ts'
import { bankfileProvider } from '../features/payments/server/providers/bankfile.ts'
import type { MovementType } from '../features/payments/server/providers/provider.ts'
import { provideInstead, providerNamed } from '../features/payments/server/providers/providers.ts'
import { openAccountWith } from '../features/payments/server/settings.ts'
import type { CompanyId } from '../server/tenancy.ts'

/** A movement of a company's money at a provider. `ref`: the provider's id of the charge, refund or dispute. */
export interface ProviderMovement {
  provider: string
  movementType: MovementType
  intent: string
  object: 'intent' | 'refund' | 'dispute'
  ref: string
  cents: number
  at: Date
}

interface ProviderPayout {
  provider: string
  trace: string
  cents: number
  arrives: string
}

/**
 * Sets up the sandbox gateway, the bank-file provider and the recorded Stripe. The test writes their records directly,
 * so that a month of payments exists immediately. All later steps run the providers' own code. The gateway and Stripe
 * pay out at night. The bank-file provider pays out at each banking day's cutoff. It also reads its bank's return files
 * and reports the returns. The test has two tables: `month` has the payments (id, provider, no, method, bill, fee, at),
 * and `moved` has the movements of each payment.
 */
export async function threeProviders(
  portal: TestPortal,
  database: TestDatabase,
  { stripe, stripeClock }: { stripe: RecordedStripe; stripeClock: TestClock },
  company: CompanyId,
) {
  const { owner, config, context } = portal
  const query = async <R extends object>(text: string, values: unknown[] = []): Promise<R[]> =>
    (await owner.query<R>(text, values)).rows
  const bank = await openBankfile(database, `http://${config.host}:${config.port}/webhooks/bankfile`)
  const settings = { url: bank.url, publicOrigin: bank.url, apiKey: BANKFILE_KEY, webhookSecret: BANKFILE_SECRET }
  provideInstead(config, bankfileProvider({ ...settings, live: false }))

  async function gatewayAt(now: string): Promise<void> {
    await fetch(`${config.gateway.url}/v1/test/clock`, {
      method: 'POST',
      headers: { authorization: `Bearer ${config.gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ now }),
    })
  }

  /**
   * Company account at each provider. `openAccounts` opens them through the provider's adapter at the start of the
   * month.
   */
  const accounts = { sandbox: '', stripe: '', bankfile: '' }
  async function openAccounts(now: string): Promise<void> {
    await Promise.all([gatewayAt(now), bank.moveTo(now)])
    const companyDetails = await context.hosts.byId(company)
    if (!companyDetails) throw new Error('there is no such town')
    for (const name of Object.keys(accounts) as (keyof typeof accounts)[])
      accounts[name] = await openAccountWith(context, companyDetails, providerNamed(config, name))
  }

  /**
   * Writes the charges into each provider's records, because a provider must have a charge on record before its money
   * moves.
   */
  async function addCharges(): Promise<void> {
    const charge = `'pi_' || m.no, $1, m.bill + m.fee, m.fee, 'succeeded', jsonb_build_object('company_id', $2::text), m.at, m.at`
    await query(
      `INSERT INTO sandbox_gateway.intent (id, account, amount_cents, fee_cents, status, metadata, created_at, succeeded_at, method)
       SELECT ${charge}, CASE m.method WHEN 1 THEN 'card' ELSE 'echeck' END FROM month m WHERE provider = 'sandbox'`,
      [accounts.sandbox, company],
    )
    await query(
      `INSERT INTO sandbox_gateway.movement (id, account, type, intent, object, object_id, amount_cents, fee_cents, created_at)
       SELECT 'txn_' || movement_type || ref, $1, movement_type, intent, object, ref, cents, cost, at FROM moved WHERE provider = 'sandbox' ORDER BY at`,
      [accounts.sandbox],
    )
    await query(
      `INSERT INTO bankfile.intent (id, account, amount_cents, fee_cents, status, metadata, created_at, succeeded_at)
       SELECT ${charge} FROM month m WHERE provider = 'bankfile'`,
      [accounts.bankfile, company],
    )
    // Adds a file entry for each debit that the bank will return, because the bank's return contains the debit's trace
    // number.
    await query(
      `WITH details AS (INSERT INTO bankfile.detail (id, account, routing, number_sealed, last4, account_type, holder, created_at)
         VALUES ('ba_1', $1, '110000000', '', '6789', 'checking', 'Edna Meadows', now()) RETURNING id),
       files AS (INSERT INTO bankfile.file (id, account, name, day, modifier, effective_on, entries, entry_hash, debit_cents, credit_cents, content_sealed, sha256, cut_at)
         VALUES ('file_1', $1, 'month.ach', '2026-09-30', 'A', '2026-10-01', 1, 1, 1, 0, '', '', now()) RETURNING id)
       INSERT INTO bankfile.entry (account, kind, intent, detail, amount_cents, sec_code, status, created_at, file, trace, settles_on, effective_on)
       SELECT $1, 'debit', m.intent, d.id, -m.cents, 'WEB', 'settled', m.at, f.id, '12345678' || lpad(substr(m.intent, 4), 7, '0'), m.at::date, m.at::date
       FROM moved m, details d, files f WHERE m.provider = 'bankfile' AND m.movement_type = 'return'`,
      [accounts.bankfile],
    )
    const { world } = stripe
    for (const { no, cents, fee } of await query<{ no: number; cents: number; fee: number }>(
      `SELECT no, bill + fee AS cents, fee FROM month WHERE provider = 'stripe'`,
    )) {
      const id = `pi_${no}`
      const none = { refundedCents: 0, error: null, actionUrl: null, returnCode: null }
      const intent = {
        id,
        status: 'succeeded',
        amountCents: cents,
        methodLabel: '',
        companyId: company,
        ...none,
      } as const
      world.model.charges.set(id, { intent, account: accounts.stripe, next: [] })
      const made = { account: accounts.stripe, method: 'card', customer: null, again: false, paidBy: null }
      world.made.set(id, { fee, ...made, by: null, returnUrl: '' })
      world.metadata.set(id, { company_id: String(company) })
    }
    ofStripe = await query(
      `SELECT provider, movement_type AS "movementType", intent, object, ref, cents, at FROM moved WHERE provider = 'stripe' ORDER BY at`,
    )
  }

  let bankedThrough = new Date(0)
  /**
   * Runs a day of the bank-file provider to its cutoff: it records movements and reads returns from the bank's file.
   */
  async function bankDay(cutoff: string): Promise<void> {
    const until = new Date(cutoff)
    await query(
      `INSERT INTO bankfile.movement (id, account, type, intent, object, object_id, amount_cents, created_at)
       SELECT 'txn_' || movement_type || ref, $1, movement_type, intent, object, ref, cents, at FROM moved
       WHERE provider = 'bankfile' AND movement_type <> 'return' AND at > $2 AND at <= $3 ORDER BY at`,
      [accounts.bankfile, bankedThrough, until],
    )
    const returnedEntries = await query<{ trace: string; cents: number; no: number }>(
      `SELECT e.trace, e.amount_cents::int AS cents, e.id::int AS no FROM moved m JOIN bankfile.entry e ON e.intent = m.intent
       WHERE m.provider = 'bankfile' AND m.movement_type = 'return' AND m.at > $1 AND m.at <= $2 ORDER BY e.id`,
      [bankedThrough, until],
    )
    if (returnedEntries.length > 0) {
      await bank.moveTo(new Date(until.getTime() - 60_000).toISOString())
      const records = returnedEntries.map(({ trace, cents, no }): BankReply => {
        return { entry: { trace, transactionCode: '27', cents }, code: no % 2 === 0 ? 'R01' : 'R10' }
      })
      const { status, text } = await bank.give(bankFile(records))
      if (status !== 200) throw new Error(text)
      await bank.control('flush', {})
    }
    await bank.moveTo(new Date(until.getTime() + 60_000).toISOString())
    bankedThrough = until
  }

  let ofStripe: ProviderMovement[] = []
  /** Records Stripe's movements up to this moment, and then its payout. */
  function stripeNight(at: string): void {
    const { world } = stripe
    const until = new Date(at)
    const due = ofStripe.filter((one) => one.at <= until)
    ofStripe = ofStripe.slice(due.length)
    for (const { movementType, intent: intentId, object, ref: objectId, cents: amountCents, at: movedAt } of due) {
      if (movementType === 'refund')
        world.model.refunds.set(objectId, {
          ...{ id: objectId, intentId, amountCents: -amountCents, status: 'succeeded', line: null },
        })
      if (movementType === 'dispute')
        world.model.disputes.set(objectId, { id: objectId, intentId, amountCents: -amountCents, status: 'won' })
      stripeClock.set(movedAt.toISOString())
      const id = `txn_${movementType}${objectId}`
      world.model.movements.push({
        ...{ id, movementType, account: accounts.stripe, intentId, object, objectId, amountCents, companyId: company },
      })
    }
    stripeClock.set(at)
    world.payOut(accounts.stripe)
  }

  /** Returns the payouts that the providers report, ordered by the day of arrival. */
  async function paidOut(): Promise<ProviderPayout[]> {
    const rows = await query<ProviderPayout>(
      `SELECT 'sandbox' AS provider, trace, amount_cents::int AS cents, arrives_on::text AS arrives FROM sandbox_gateway.payout
       UNION ALL SELECT 'bankfile', trace, amount_cents::int, arrives_on::text FROM bankfile.payout`,
    )
    const others = stripe.world.payouts.map(shapes.payout).map((one) => ({
      ...{ provider: 'stripe', trace: one.trace_id.value, cents: one.amount },
      arrives: new Date(one.arrival_date * 1000).toISOString().slice(0, 10),
    }))
    return [...rows, ...others].toSorted((a, b) =>
      `${a.arrives}${a.provider}`.localeCompare(`${b.arrives}${b.provider}`),
    )
  }

  return { bank, accounts, openAccounts, addCharges, bankDay, gatewayAt, stripeNight, paidOut }
}
