import type { Dispute, Movement, Refund } from '../../features/payments/server/providers/provider.ts'
import type { Account, CardReader, StoredStripeMethod, StripePayout, StripeSetup, StripeWorld } from './world.ts'

/** Responses in Stripe's formats, built from `StripeWorld`. Fields that the portal does not use are omitted. */

const none = { object: 'list', data: [] as unknown[], has_more: false }
export const list = (data: unknown[], more = false) => ({ ...none, data, has_more: more })

const RETURNED: Readonly<Record<string, string>> = { R01: 'insufficient_funds', R10: 'debit_not_authorized' }

export function intent(world: StripeWorld, id: string) {
  const { intent: loaded } = world.model.charges.get(id) ?? {}
  const made = world.made.get(id)
  if (!loaded || !made) return null
  const wasPaid = world.model.movements.some(
    ({ movementType, intentId }) => movementType === 'capture' && intentId === id,
  )
  const failed = loaded.status === 'failed'
  const status = wasPaid
    ? 'succeeded'
    : failed || loaded.status === 'requires_confirmation'
      ? 'requires_payment_method'
      : world.unverified.has(id)
        ? 'requires_action'
        : loaded.status
  const code = loaded.returnCode ? RETURNED[loaded.returnCode] : loaded.error?.code
  return {
    id,
    object: 'payment_intent',
    amount: loaded.amountCents,
    status,
    metadata: world.metadata.get(id) ?? {},
    payment_method_types: [made.method],
    setup_future_usage: made.again ? 'off_session' : null,
    last_payment_error: failed
      ? { type: 'card_error', code, message: loaded.error?.message ?? 'It was refused.' }
      : null,
    next_action: nextAction(world, id, loaded.actionUrl),
    payment_method: made.paidBy,
    customer: made.customer,
    transfer_data: { destination: made.account },
    latest_charge: wasPaid ? charge(world, id) : null,
  }
}

function nextAction(world: StripeWorld, id: string, url: string | null) {
  if (world.unverified.has(id)) return deposits(world, id)
  return url === null ? null : bankPage(world, id)
}

const deposits = ({ pages }: StripeWorld, id: string) => ({
  type: 'verify_with_microdeposits',
  verify_with_microdeposits: { hosted_verification_url: `${pages.payments}/microdeposit/${id}` },
})

const bankPage = ({ pages }: StripeWorld, id: string) => ({
  type: 'redirect_to_url',
  redirect_to_url: { url: `${pages.hooks}/redirect/authenticate/${id}` },
})

export function charge(world: StripeWorld, intentId: string) {
  const { intent: loaded } = world.model.charges.get(intentId) ?? {}
  const made = world.made.get(intentId)
  if (!loaded || !made) return null
  return {
    id: `ch_${intentId}`,
    object: 'charge',
    status: 'succeeded',
    payment_intent: intentId,
    amount_refunded: loaded.status === 'canceled' ? loaded.amountCents : loaded.refundedCents,
    application_fee_amount: made.fee || null,
    disputed: loaded.status === 'returned' || disputesOf(world, intentId).length > 0,
    metadata: world.metadata.get(intentId) ?? {},
    payment_method_details: details(made.method, last4Of(world, made)),
    transfer_data: { destination: made.account },
    failure_code: null,
    refunds: list(refundsOf(world, intentId)),
  }
}

const last4Of = (world: StripeWorld, { by }: { by: string | null }) =>
  by === null ? undefined : (world.typed.get(by)?.last4 ?? world.methods.get(by)?.last4)

const details = (method: string, last4?: string) =>
  method.startsWith('card')
    ? { type: method, [method]: { brand: 'visa', last4: last4 ?? '4242', exp_month: 8, exp_year: 2031 } }
    : {
        type: 'us_bank_account',
        us_bank_account: { account_type: 'checking', bank_name: 'STRIPE TEST BANK', last4: last4 ?? '6789' },
      }

/** Id of a void, which is a full refund to the same method. */
export const voidId = (intentId: string) => `re_void_${intentId}`

export function refundsOf(world: StripeWorld, intentId: string) {
  const { intent: loaded } = world.model.charges.get(intentId) ?? {}
  const voided =
    loaded && world.model.movements.some(({ movementType, intentId: of }) => movementType === 'void' && of === intentId)
  const all = [...world.model.refunds.values()].filter((one) => one.intentId === intentId)
  return [...all.map((one) => refund(world, one)), ...(voided ? [voidOf(world, intentId, loaded.amountCents)] : [])]
}

export const refund = (world: StripeWorld, { id, intentId, amountCents, status, line }: Refund) => ({
  ...{ id, object: 'refund', amount: amountCents, status, payment_intent: intentId, balance_transaction: `txn_${id}` },
  charge: `ch_${intentId}`,
  metadata: { ...world.metadata.get(id), ...(line !== null && { line: String(line) }) },
})

export const voidOf = (_world: StripeWorld, intentId: string, amount: number) => ({
  ...{ id: voidId(intentId), object: 'refund', amount, status: 'succeeded', payment_intent: intentId },
  ...{ balance_transaction: `txn_void_${intentId}`, charge: `ch_${intentId}`, metadata: { kind: 'void' } },
})

export function disputesOf(world: StripeWorld, intentId: string) {
  const { intent: loaded } = world.model.charges.get(intentId) ?? {}
  const returns = loaded?.status === 'returned' ? [returnOf(intentId, loaded.amountCents, loaded.returnCode)] : []
  const all = [...world.model.disputes.values()].filter((one) => one.intentId === intentId)
  return [...returns, ...all.map(dispute)]
}

const returnOf = (intentId: string, amount: number, code: string | null) => ({
  ...{ id: `dp_return_${intentId}`, object: 'dispute', amount, status: 'lost', payment_intent: intentId },
  ...{ charge: `ch_${intentId}`, reason: RETURNED[code ?? ''] ?? 'bank_cannot_process' },
})

export const dispute = ({ id, intentId, amountCents, status }: Dispute) => ({
  ...{ id, object: 'dispute', amount: amountCents, status, payment_intent: intentId },
  ...{ charge: `ch_${intentId}`, reason: 'fraudulent' },
})

export const paymentMethod = ({ id, type, customer, last4 }: StoredStripeMethod) => ({
  id,
  object: 'payment_method',
  customer,
  ...details(type, last4),
})

export function setup(world: StripeWorld, { id, customer, scenario, method, error }: StripeSetup) {
  const stored = method === null ? undefined : world.methods.get(method)
  const confirms = world.unverified.has(id)
  const waits = stored === undefined && error === null && (scenario === 'challenge' || confirms)
  return {
    id,
    object: 'setup_intent',
    customer,
    status: stored ? 'succeeded' : waits ? 'requires_action' : 'requires_payment_method',
    payment_method: stored ? paymentMethod(stored) : null,
    next_action: waits ? (confirms ? deposits : bankPage)(world, id) : null,
    last_setup_error: error,
  }
}

export const account = ({ id, reference, submitted, due, pending, deadline, disabled }: Account) => {
  const enabled = submitted && due.length === 0 && disabled === null
  return {
    ...{ id, object: 'account', metadata: { reference }, details_submitted: submitted },
    ...{ charges_enabled: enabled, payouts_enabled: enabled },
    capabilities: { transfers: enabled ? 'active' : 'inactive' },
    requirements: {
      ...{ currently_due: due, past_due: [], pending_verification: pending },
      ...{ current_deadline: deadline, disabled_reason: disabled },
    },
  }
}

/** Builds a balance transaction of the portal's own account. It contains the complete source object with its charge. */
export function balanceLine(world: StripeWorld, movement: Movement) {
  const { id, movementType, intentId, objectId, amountCents } = movement
  const whole = <T extends object>(source: T) => ({ ...source, charge: charge(world, intentId) })
  const loaded = world.model.charges.get(intentId)?.intent
  const source =
    movementType === 'capture'
      ? charge(world, intentId)
      : movementType === 'void'
        ? whole(voidOf(world, intentId, loaded?.amountCents ?? 0))
        : movementType === 'return'
          ? whole(returnOf(intentId, loaded?.amountCents ?? 0, loaded?.returnCode ?? null))
          : movement.object === 'refund'
            ? whole(refund(world, world.model.refunds.get(objectId) as Refund))
            : whole(dispute(world.model.disputes.get(objectId) as Dispute))
  const types = { capture: 'charge', refund: 'refund', void: 'refund', refund_failed: 'refund_failure' } as const
  const type = types[movementType as keyof typeof types] ?? 'adjustment'
  return {
    id,
    object: 'balance_transaction',
    type,
    amount: amountCents,
    fee: 0,
    created: world.movedAt(movement),
    source,
  }
}

/** Id of the transfer to the company, which Stripe records for each charge. A transfer is not a payment movement. */
export const transferId = ({ id }: Movement) => `${id}_transfer`
export const transferLine = (world: StripeWorld, movement: Movement) => ({
  ...{ id: transferId(movement), object: 'balance_transaction', type: 'transfer', amount: -movement.amountCents },
  ...{ fee: 0, created: world.movedAt(movement), source: { id: `tr_${movement.intentId}`, object: 'transfer' } },
})

export const payout = ({ id, created, lines }: StripePayout) => ({
  ...{ id, object: 'payout', automatic: true, status: 'in_transit', reconciliation_status: 'completed', created },
  amount: lines.reduce((sum, { movement, fee }) => sum + movement.amountCents - fee, 0),
  arrival_date: (Math.floor(created / 86_400) + 2) * 86_400,
  trace_id: { status: 'supported', value: `TRACE${id.slice(3, 13).toUpperCase()}` },
})

export const lineId = ({ movement }: StripePayout['lines'][number]) => `${movement.id}_town`

/**
 * Builds a balance transaction of a company's account: the company's part of a charge or refund, with a reference to
 * the original.
 */
export function payoutLine(world: StripeWorld, line: StripePayout['lines'][number]) {
  const { movement, fee } = line
  const { movementType, intentId, objectId, amountCents } = movement
  const loaded = world.model.charges.get(intentId)?.intent
  const origin = () =>
    movementType === 'void'
      ? voidOf(world, intentId, loaded?.amountCents ?? 0)
      : refund(world, world.model.refunds.get(objectId) as Refund)
  const source =
    movementType === 'capture'
      ? { id: `py_${intentId}`, object: 'charge', source_transfer: { source_transaction: charge(world, intentId) } }
      : { id: `pyr_${objectId}`, object: 'refund', source_transfer_reversal: { source_refund: origin() } }
  const type = movementType === 'capture' ? 'payment' : 'payment_refund'
  return {
    id: lineId(line),
    object: 'balance_transaction',
    type,
    amount: amountCents,
    fee,
    created: world.movedAt(movement),
    source,
  }
}

export const reader = ({ id, label, location, metadata, isOffline, action }: CardReader) => ({
  ...{ id, object: 'terminal.reader', label, location, metadata, status: isOffline ? 'offline' : 'online' },
  action: action && {
    type: 'process_payment_intent',
    status: action.status,
    process_payment_intent: { payment_intent: action.intent },
    failure_code: action.failure?.code ?? null,
    failure_message: action.failure?.message ?? null,
  },
})
