import { type Call, implement } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { isPreview } from '../../../server/current-preview.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { RequestOf, ResponseOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { payGuestBill } from '../contract.ts'
import {
  drive,
  findPayment,
  type CardKind,
  ProviderRefused,
  ProviderSilent,
  providerNamed,
  openAccount,
  unreachable,
  statusWithNext,
  preparePayment,
  type StartedPayment,
  startAttempt,
  trialPort,
} from '../../payments/api.ts'

type PayCall = Call<RequestOf<typeof payGuestBill>>

/** Charges a guest's payment: commits the attempt, sends it to the provider, then returns its status. */
export const payGuestBillCall = implement(payGuestBill, async (call) => {
  if (isPreview()) return payInPreview(call)
  const { context, company, body } = call
  const started = await startCheckout(call, (work) => call.inCompany(work))
  const page = `${originOf(context.config, company.subdomain)}/guest/payment/${body.token}`
  const driven = await drive(context, company, started, started.source, page)
  const { order, attempt } = driven ?? (await findPayment(context, company, started.attempt.id))
  return call.reading((tx) => statusWithNext(tx, company.id, order, attempt))
})

/** Payment of a preview. It carries the result out of the transaction that rolls back. */
class RolledBack extends Error {
  readonly started: StartedPayment
  constructor(started: StartedPayment) {
    super()
    this.started = started
  }
}

/**
 * Checks a payment of a preview with all rules, then rolls it back and runs the provider's test charge instead. Nothing
 * is charged or booked.
 */
async function payInPreview(call: PayCall): Promise<ResponseOf<typeof payGuestBill>> {
  const { company } = call
  const { order } = await startCheckout(call, async (work) => {
    const rolledBack = call.inCompany(async (tx) => {
      throw new RolledBack(await work(tx))
    })
    return rolledBack.catch((error: unknown) => {
      if (error instanceof RolledBack) return error.started
      throw error
    })
  })
  const tried = await trialPort.tryCharge(call)
  const status = await call.reading((tx) => statusWithNext(tx, company.id, undefined, undefined))
  const total = formatCents(order.total_cents)
  if (!tried)
    return { ...status, message: say`This is a preview. A resident would now pay ${total}. Nothing was charged.` }
  if (tried.failed) throw unreachable()
  return {
    ...status,
    message: say`This is a preview. A resident would now pay ${total}. Nothing was charged. The test payment with the provider succeeded.`,
  }
}

/**
 * Step 1: prepares the payment and starts the attempt. A company's first payment opens its provider account, and fees
 * that depend on the card need the card type from the provider. No transaction stays open during either provider call.
 */
async function startCheckout(
  call: PayCall,
  run: (work: (tx: Tx) => Promise<StartedPayment>) => Promise<StartedPayment>,
): Promise<StartedPayment> {
  const { context, company, session, body, idempotencyKey: key } = call
  const payer = {
    // The payer, signed in or not.
    actor: {
      as: 'requester' as const,
      caller: call,
      clock: context.clock,
      ...(session === null && { person: { id: null, name: 'Guest' } }),
    },
    person: companyPersonOf(session),
    email: body.email,
  }
  const from = { address: call.address, device: call.device }
  const prepared = await call.inCompany((tx) => preparePayment(tx, context, company, { key, request: body }))
  const { settings, needsAccount, needsCard } = prepared
  const account = needsAccount ? await openAccount(context, company, settings) : settings.providerAccount
  const card = needsCard && account !== null ? await cardOf(context, settings.provider, account, body) : undefined
  return run((tx) => startAttempt(tx, context, company, { key, request: body, payer, from, card }))
}

const ANY_CARD: CardKind = { brand: null, funding: null }

/**
 * Requests the card type of a token from the provider. If the provider refuses the token, the charge will fail too, so
 * the fee does not matter.
 */
async function cardOf(
  { config }: Call['context'],
  provider: string,
  account: string,
  { methodToken }: RequestOf<typeof payGuestBill>,
): Promise<CardKind> {
  if (methodToken === undefined) return ANY_CARD
  try {
    return (await providerNamed(config, provider).cardOf?.(account, methodToken)) ?? ANY_CARD
  } catch (error) {
    if (error instanceof ProviderRefused) return ANY_CARD
    if (error instanceof ProviderSilent) throw unreachable()
    throw error
  }
}
