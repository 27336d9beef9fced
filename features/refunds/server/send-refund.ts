import { Refusal } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { transition } from '../../../server/states.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { say } from '../../../shared/messages.ts'
import {
  book,
  type ChargeContext,
  type Attempt,
  findAttempt,
  lockPayment,
  providerActor,
  type Provider,
  ProviderRefused,
  ProviderSilent,
  type Refund,
  findProvider,
  findRefund,
  lockedRefund,
  refundStateStore,
  refusedByBank,
  lockRefund,
  type RefundRow,
  saveProviderRef,
} from '../../payments/api.ts'
import { emailRefund } from './refund-email.ts'
import { lockOpenDrawerOf } from './open-drawer.ts'

/** In milliseconds. After this time, another process may send a refund that was not finished. */
const LEFT_ALONE_MS = 30_000
const BATCH = 100

/**
 * Sends an approved refund to the provider and books the result. The idempotency key makes repeated calls safe. If the
 * provider does not respond, the refund stays pending, and the job requests the result later. Later reports of the same
 * refund are not booked twice.
 */
export async function sendRefund(context: AppContext, company: CompanyId, id: number): Promise<RefundRow> {
  const [row, attempt] = await context.inCompany(company, async (tx) => {
    const refund = await findRefund(tx, company, id)
    return [refund, await findAttempt(tx, company, refund.attempt_id)] as const
  })
  if (row.status !== 'sending') return row
  const provider = findProvider(context.config, attempt.provider)
  if (!provider) return payByCompany(context, company, row)
  try {
    const moved = await callProvider(context, provider, row, attempt)
    if (moved) await finishRefund(context, company, row, (charge) => bookRefund(charge, row, moved))
  } catch (error) {
    if (error instanceof ProviderRefused) await failRefund(context, company, row, whyNot(row))
    else if (error instanceof ProviderSilent) context.log.warn({ err: error }, 'a refund is asked for again later')
    else throw error
  }
  return context.inCompany(company, (tx) => findRefund(tx, company, id))
}

const whyNot = ({ kind }: RefundRow) =>
  kind === 'void'
    ? say`The payment provider has already settled the payment. Refund it instead.`
    : say`The payment provider rejected the refund. Check the payment with the provider.`

/** Sends the refund or void to the provider. Returns null if the provider has not completed it. */
async function callProvider(
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
  const refundRequest = { amountCents: row.amount_cents, line: row.line_no, reason: row.reason }
  const refund = row.provider_ref
    ? await provider.getRefund(account, row.provider_ref)
    : await provider.createRefund(account, intentId, refundRequest, key)
  if (refund.status !== 'pending') return refund
  await context.inCompany(companyIdFrom('job', row.company_id), (tx) => saveProviderRef(tx, row, refund.id))
  return null
}

/** Books the provider's money movement. Returns the reason if the refund failed. */
async function bookRefund(charge: ChargeContext, row: RefundRow, moved: Refund | 'voided'): Promise<string | null> {
  const { amount_cents, line_no } = row
  if (moved === 'voided') {
    await book(charge, 'void', charge.attempt.intent_id ?? '', amount_cents)
    return null
  }
  await book(charge, 'refund', moved.id, moved.amountCents, { named: line_no })
  await saveProviderRef(charge.tx, row, moved.id)
  // The news that the bank refused the refund may arrive before the answer to the refund.
  const isRefused = charge.moved.some(({ movementType, ref }) => movementType === 'refund_failed' && ref === moved.id)
  if (moved.status !== 'failed' && !isRefused) return null
  await book(charge, 'refund_failed', moved.id, moved.amountCents, { named: line_no })
  return refusedByBank()
}

/**
 * Pays a refund without a provider. A void is paid in cash from the open drawer. A refund is paid from the company's
 * bank, for example by check, if the drawer is closed or the provider is no longer connected.
 */
async function payByCompany(context: AppContext, company: CompanyId, row: RefundRow): Promise<RefundRow> {
  const ref = `refund-${row.id}`
  try {
    await finishRefund(context, company, row, async (charge) => {
      if (row.kind === 'void') {
        if (!(await lockOpenDrawerOf(charge.tx, company, row.order_id)))
          throw new Refusal(
            409,
            'settled',
            'The cash drawer for this payment was counted and closed. Refund the payment instead.',
          )
        await book({ ...charge, cash: 'office_cash' }, 'void', ref, row.amount_cents)
      } else await book({ ...charge, cash: 'bank' }, 'refund', ref, row.amount_cents, { named: row.line_no })
      return null
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await failRefund(context, company, row, error.message)
  }
  return context.inCompany(company, (tx) => findRefund(tx, company, row.id))
}

/**
 * Books the movement, completes the refund and notifies the payer in one transaction. Only the first call for a refund
 * has an effect.
 */
const finishRefund = (
  context: AppContext,
  company: CompanyId,
  { id, attempt_id }: RefundRow,
  finishRefund: (charge: ChargeContext) => Promise<string | null>,
) =>
  context.inCompany(company, async (tx) => {
    const charge = { context, tx, company, ...(await lockPayment(tx, company, attempt_id)), intent: null }
    const row = await lockRefund(tx, company, id)
    if (row.status !== 'sending') return
    const against = await finishRefund(charge)
    await endRefund(tx, context, row, against === null ? 'arrive' : 'fail', against ?? '')
    if (against === null) await emailRefund(tx, context, company, charge.order, row, charge.attempt.provider)
  })

const failRefund = (context: AppContext, company: CompanyId, { id }: RefundRow, note: string) =>
  context.inCompany(company, async (tx) => {
    const row = await lockRefund(tx, company, id)
    if (row.status === 'sending') await endRefund(tx, context, row, 'fail', note)
  })

const endRefund = (tx: Tx, context: AppContext, row: RefundRow, event: 'arrive' | 'fail', note: string) =>
  transition(tx, refundStateStore, {
    scope: companyIdFrom('job', row.company_id),
    id: row.id,
    locked: lockedRefund(row),
    event,
    actor: providerActor(context.clock),
    patch: { note },
  })

/** Resumes refunds that were sent but not completed, because the process ended or the provider did not respond. */
export async function sendPendingRefunds(context: AppContext): Promise<number> {
  const before = new Date(context.clock.now().getTime() - LEFT_ALONE_MS)
  const rows = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('payment_refund')
      .select(['company_id', 'id'])
      .where('status', '=', 'sending')
      .where('requested_at', '<', before)
      .orderBy('requested_at')
      .limit(BATCH)
      .execute(),
  )
  for (const { company_id, id } of rows)
    await sendRefund(context, companyIdFrom('job', company_id), id).catch((error: unknown) =>
      context.log.warn({ err: error }, 'a refund is tried again later'),
    )
  return rows.length
}

/** Describes the outcome of a refund for staff. */
export function describeRefund({ kind, status, note, order_id }: RefundRow): string {
  const number = `P${order_id}`
  if (status === 'waiting')
    return note || say`Another person must approve this refund because it is above the refund limit.`
  if (status === 'sending')
    return say`The refund is processing. The payment provider has not responded yet. You do not need to do anything.`
  if (status === 'failed') return note
  if (status === 'declined') return say`The request was not approved. Nothing was refunded.`
  return kind === 'void'
    ? say`Payment ${number} was voided. We notified the payer.`
    : say`The amount was refunded. We notified the payer.`
}

export const defineRefundJobs = (context: AppContext): void =>
  context.jobs.define('payments.refunds', async () => void (await sendPendingRefunds(context)), {
    cron: '* * * * *',
    retryLimit: 0,
  })
