import { randomUUID } from 'node:crypto'
import type { Movement } from '../../features/payments/server/providers/provider.ts'
import { ProviderModel, type Scenario } from '../provider-model.ts'
import type { TypedMethod } from './typed.ts'

/** Fields of a company's Stripe account that the portal reads. */
export interface Account {
  id: string
  reference: string
  submitted: boolean
  due: string[]
  /** Requirements under review by Stripe. */
  pending: string[]
  /** Time when the missing requirements are due. */
  deadline: number | null
  /** Reason that Stripe disabled the account. Null if the account is not disabled. */
  disabled: string | null
}

export interface StoredStripeMethod {
  id: string
  type: 'card' | 'us_bank_account'
  customer: string | null
  last4?: string | undefined
}

/** URLs of Stripe's own pages for a browser. */
export interface Pages {
  hooks: string
  payments: string
}
const NOWHERE: Pages = { hooks: 'https://hooks.stripe.test', payments: 'https://payments.stripe.test' }

export interface StripeSetup {
  id: string
  customer: string
  scenario: Scenario
  type: StoredStripeMethod['type']
  method: string | null
  /** Id of the payment method that the setup uses. */
  by: string
  /** Return URL after the bank's page. */
  returnUrl: string
  error: { code: string; message: string } | null
}

/** A card reader, with the status of its last charge. */
export interface CardReader {
  id: string
  label: string
  location: string
  metadata: Record<string, string>
  isOffline: boolean
  action: {
    intent: string
    status: 'in_progress' | 'succeeded' | 'failed'
    failure: { code: string; message: string } | null
  } | null
}

/** A payout of a company's account to its bank, with its movements. */
export interface StripePayout {
  id: string
  account: string
  created: number
  lines: { movement: Movement; fee: number }[]
}

/** Scenarios of Stripe's published test methods. */
const PUBLISHED: Readonly<Record<string, Scenario>> = {
  pm_card_visa: 'ok',
  pm_card_visa_chargeDeclined: 'declined',
  pm_card_authenticationRequired: 'challenge',
  pm_usBankAccount_success: 'echeck',
  pm_usBankAccount_microdeposits: 'echeck',
  pm_usBankAccount_insufficientFunds: 'echeck_R01',
  pm_usBankAccount_dispute: 'echeck_R10',
}
const NOT_OWNER = {
  code: 'payment_intent_authentication_failure',
  message: 'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
}

/**
 * Simulated data of Stripe: charges, refunds and disputes in the shared model, and Stripe's own objects. All times are
 * the test's clock.
 */
export class StripeWorld {
  readonly model = new ProviderModel('stripe')
  readonly accounts = new Map<string, Account>()
  readonly customers = new Map<string, Record<string, unknown> & { id: string; email: string }>()
  readonly methods = new Map<string, StoredStripeMethod>()
  readonly locations = new Map<string, { id: string }>()
  readonly readers = new Map<string, CardReader>()
  readonly setups = new Map<string, StripeSetup>()
  /** Parameters of each new intent. */
  readonly made = new Map<
    string,
    {
      fee: number
      account: string
      method: string
      customer: string | null
      again: boolean
      paidBy: string | null
      /** Payment method that last confirmed the intent, and the return URL after the bank's page. */
      by: string | null
      returnUrl: string
    }
  >()
  /** Payment methods created from data typed into the payment fields, by id. */
  readonly typed = new Map<string, TypedMethod>()
  /** True if company accounts are ready as soon as they are opened. */
  isReadyAtOnce = false
  /** Intents and setups with unconfirmed micro-deposits. */
  readonly unverified = new Set<string>()
  readonly metadata = new Map<string, Record<string, string>>()
  readonly payouts: StripePayout[] = []
  /** Submitted evidence, by dispute. */
  readonly evidence = new Map<string, Record<string, string>>()
  readonly #moved = new WeakMap<Movement, number>()
  readonly now: () => Date

  readonly pages: Pages

  constructor(now: () => Date, pages: Pages = NOWHERE) {
    this.now = now
    this.pages = pages
    const { movements } = this.model
    movements.push = (...lines) => {
      for (const line of lines) this.#moved.set(line, this.seconds())
      return Array.prototype.push.apply(movements, lines)
    }
  }

  seconds(): number {
    return Math.floor(this.now().getTime() / 1000)
  }

  movedAt(movement: Movement): number {
    return this.#moved.get(movement) ?? 0
  }

  scenarioOf = (method: string): Scenario | undefined => this.typed.get(method)?.scenario ?? PUBLISHED[method]
  needsDeposits = (method: string): boolean =>
    method === 'pm_usBankAccount_microdeposits' || this.typed.get(method)?.unverified === true

  keep(scenario: Scenario, type: StoredStripeMethod['type'], customer: string, last4?: string): string {
    const id = this.model.store(scenario, `pm_${randomUUID()}`)
    this.methods.set(id, { id, type, customer, last4 })
    return id
  }

  /**
   * Presents a card to a reader. The charge succeeds, or fails for the reason in `failure`. The reason may also be a
   * timeout or a cancellation at the reader.
   */
  present(id: string, failure: { code: string; message: string } | null = null): void {
    const reader = this.readers.get(id)
    if (reader?.action?.status !== 'in_progress') throw new Error('the reader waits for no card')
    const { intent } = reader.action
    const charge = this.model.charges.get(intent)
    const hasEnded = charge?.intent.status !== 'requires_confirmation'
    const why = hasEnded ? { code: 'intent_invalid_state', message: 'The PaymentIntent is over.' } : failure
    reader.action = { intent, status: why ? 'failed' : 'succeeded', failure: why }
    if (hasEnded || why?.code === 'customer_canceled') return
    charge.intent.status = 'requires_action'
    this.model.resolveChallenge(intent, why)
  }

  /** Handles the payer's return from their bank. `isOwner` is true if the bank accepted the payer. */
  resolveChallenge(id: string, isOwner: boolean): string {
    const setup = this.setups.get(id)
    if (!setup) {
      this.model.resolveChallenge(id, isOwner ? null : NOT_OWNER)
      return this.made.get(id)?.returnUrl ?? ''
    }
    if (!isOwner) setup.error = NOT_OWNER
    else setup.method ??= this.keep('ok', setup.type, setup.customer, this.typed.get(setup.by)?.last4)
    return setup.returnUrl
  }

  /** Confirms the micro-deposits. */
  verify(id: string): void {
    this.unverified.delete(id)
    const setup = this.setups.get(id)
    if (setup) setup.method ??= this.keep(setup.scenario, setup.type, setup.customer, this.typed.get(setup.by)?.last4)
  }

  /**
   * Pays out an account's movements since the last payout. Returns the payout. Null if the account had no movements.
   */
  payOut(account: string): StripePayout | null {
    const before = new Set(this.payouts.flatMap(({ lines }) => lines.map(({ movement }) => movement)))
    const lines = this.model.movements
      // Disputes are debited from the portal's own account.
      .filter(({ movementType }) => ['capture', 'refund', 'void'].includes(movementType))
      .filter((movement) => movement.account === account && !before.has(movement))
      .map((movement) => ({ movement, fee: this.#feeOf(movement) }))
    if (lines.length === 0) return null
    const payout = { id: `po_${randomUUID()}`, account, created: this.seconds(), lines }
    this.payouts.push(payout)
    return payout
  }

  /**
   * Returns the portal's fee for a movement. For a refund, the returned fee is negative and in proportion to the
   * amount.
   */
  #feeOf({ intentId, amountCents }: Movement): number {
    const total = this.model.charges.get(intentId)?.intent.amountCents ?? 1
    const fee = Math.floor(((this.made.get(intentId)?.fee ?? 0) * Math.abs(amountCents)) / total)
    return amountCents < 0 ? -fee : fee
  }
}
