import { changeRow } from '../../../server/db/rows.ts'
import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { transition } from '../../../server/states.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/words.ts'
import { book } from './book.ts'
import type { ChargeContext } from './charges.ts'
import { type Attempt, findAttempt, lockPayment, providerSays } from './orders.ts'
import { type Provider, ProviderRefused, ProviderSilent, type Refund } from './provider.ts'
import { findProvider } from './providers.ts'
import { mailRefund } from './refund-email.ts'
import { findRefund, heldRefund, keptRefunds, lockRefund, type RefundRow } from './refund-rows.ts'
import { openTillOf } from './till.ts'

/** So long a refund is left to whoever began to send it. */
const LEFT_ALONE_MS = 30_000
const BATCH = 100

/**
 * Gives back what somebody asked for and nobody has to approve any more: the provider is asked under the refund's own key,
 * so that it happens once however often this runs, and what it answers is booked. Where no answer comes it stays on its
 * way, and the job asks again. What another tells of it meanwhile (an event, the provider's own account) is booked by the
 * same object, and so not a second time.
 */
export async function sendRefund(context: AppContext, company: CompanyId, id: number): Promise<RefundRow> {
  const [row, attempt] = await context.inCompany(company, async (tx) => {
    const refund = await findRefund(tx, company, id)
    return [refund, await findAttempt(tx, company, refund.attempt_id)] as const
  })
  if (row.status !== 'sending') return row
  const provider = findProvider(context.config, attempt.provider)
  if (!provider) return payByTheTown(context, company, row)
  try {
    const moved = await askProvider(context, provider, row, attempt)
    if (moved) await arrive(context, company, row, (known) => settle(known, row, moved))
  } catch (error) {
    if (error instanceof ProviderRefused) await fail(context, company, row, whyNot(row))
    else if (error instanceof ProviderSilent) context.log.warn({ err: error }, 'a refund is asked for again later')
    else throw error
  }
  return context.inCompany(company, (tx) => findRefund(tx, company, id))
}

const whyNot = ({ kind }: RefundRow) =>
  kind === 'void'
    ? say`The payment provider has settled it already. Refund it instead.`
    : say`The payment provider refused it. Look at the payment there.`

/** What the provider says of it; null while it works on it. */
async function askProvider(
  context: AppContext,
  provider: Provider,
  row: RefundRow,
  { provider_account: account, intent_id }: Attempt,
): Promise<Refund | 'voided' | null> {
  const intentId = intent_id ?? ''
  const key = `${account}/refund-${row.id}`
  if (row.kind === 'void') {
    const intent = await provider.voidIntent(account, intentId, key)
    return intent.status === 'canceled' ? 'voided' : null
  }
  const wanted = { amountCents: row.amount_cents, line: row.line_no, reason: row.reason }
  const refund = row.provider_ref
    ? await provider.getRefund(account, row.provider_ref)
    : await provider.createRefund(account, intentId, wanted, key)
  if (refund.status !== 'pending') return refund
  await context.inCompany(companyIdFrom('job', row.company_id), (tx) =>
    changeRow(tx, 'payment_refund', row.company_id, row.id, { provider_ref: refund.id }),
  )
  return null
}

/** Books what the provider moved. Answers why nothing was given back in the end, if so. */
async function settle(
  known: ChargeContext,
  { amount_cents, line_no }: RefundRow,
  moved: Refund | 'voided',
): Promise<string | null> {
  if (moved === 'voided') {
    await book(known, 'void', known.attempt.intent_id ?? '', amount_cents)
    return null
  }
  await book(known, 'refund', moved.id, moved.amountCents, { named: line_no })
  if (moved.status !== 'failed') return null
  await book(known, 'refund_failed', moved.id, moved.amountCents, { named: line_no })
  return say`The payer’s bank did not take it.`
}

/**
 * What no provider holds, the town gives back itself: cash out of the drawer while that is open, which is a void; a check
 * from its bank for what was paid at the office before, or through a provider that is not connected any more.
 */
async function payByTheTown(context: AppContext, company: CompanyId, row: RefundRow): Promise<RefundRow> {
  const ref = `refund-${row.id}`
  try {
    await arrive(context, company, row, async (known) => {
      if (row.kind === 'void') {
        if (!(await openTillOf(known.tx, company, row.order_id)))
          throw new Refusal(409, 'settled', 'The drawer of this payment was counted and closed. Refund it instead.')
        await book({ ...known, cash: 'office_cash' }, 'void', ref, row.amount_cents)
      } else await book({ ...known, cash: 'bank' }, 'refund', ref, row.amount_cents, { named: row.line_no })
      return null
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await fail(context, company, row, error.message)
  }
  return context.inCompany(company, (tx) => findRefund(tx, company, row.id))
}

/** In one transaction: what moved is booked, the refund is done, and its payer is told. Once, whoever comes first. */
const arrive = (
  context: AppContext,
  company: CompanyId,
  { id, attempt_id }: RefundRow,
  settleIt: (known: ChargeContext) => Promise<string | null>,
) =>
  context.inCompany(company, async (tx) => {
    const known = { context, tx, company, ...(await lockPayment(tx, company, attempt_id)), intent: null }
    const row = await lockRefund(tx, company, id)
    if (row.status !== 'sending') return
    const against = await settleIt(known)
    await end(tx, context, row, against === null ? 'arrive' : 'fail', against ?? '')
    if (against === null) await mailRefund(tx, context, company, known.order, row, known.attempt.provider)
  })

const fail = (context: AppContext, company: CompanyId, { id }: RefundRow, note: string) =>
  context.inCompany(company, async (tx) => {
    const row = await lockRefund(tx, company, id)
    if (row.status === 'sending') await end(tx, context, row, 'fail', note)
  })

const end = (tx: Tx, context: AppContext, row: RefundRow, event: 'arrive' | 'fail', note: string) =>
  transition(tx, keptRefunds, {
    place: companyIdFrom('job', row.company_id),
    id: row.id,
    held: heldRefund(row),
    event,
    who: providerSays(context.clock),
    facts: { note },
  })

/** Goes on with what was begun and not ended: the process died, or the provider did not answer. */
export async function sendWaitingRefunds(context: AppContext): Promise<number> {
  const before = new Date(context.clock.now().getTime() - LEFT_ALONE_MS)
  const rows = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_refund')
      .select(['company_id', 'id'])
      .where('status', '=', 'sending')
      .where('asked_at', '<', before)
      .orderBy('asked_at')
      .limit(BATCH)
      .execute(),
  )
  for (const { company_id, id } of rows)
    await sendRefund(context, companyIdFrom('job', company_id), id).catch((error: unknown) =>
      context.log.warn({ err: error }, 'a refund is tried again later'),
    )
  return rows.length
}

/** For a person, what became of it. */
export function describeRefund({ kind, status, note, order_id }: RefundRow): string {
  const number = `P${order_id}`
  if (status === 'waiting')
    return note || say`It waits for a second person, since it is above what one person gives back alone.`
  if (status === 'sending')
    return say`It is on its way: the payment provider has not answered yet. Nothing more is to be done.`
  if (status === 'failed') return note
  if (status === 'declined') return say`It was not approved. Nothing is given back.`
  return kind === 'void'
    ? say`The payment ${number} is void. The payer is told.`
    : say`The money is given back. The payer is told.`
}
