import { randomUUID } from 'node:crypto'
import {
  type CardKind,
  type Dispute,
  type Intent,
  type PaymentSource,
  type Movement,
  type NewRefund,
  type Provider,
  type ProviderEvent,
  ProviderRefused,
  ProviderSilent,
  type Refund,
  type Setup,
  type StoredMethod,
  type StoredVerbs,
} from '../features/payments/server/providers/provider.ts'

/**
 * Payment scenarios that a token selects, like the sandbox gateway's published test numbers. `ok_once` pays once and is
 * then declined.
 */
export const scenarios = [
  'ok',
  'ok_once',
  'declined',
  'slow',
  'challenge',
  'echeck',
  'echeck_R01',
  'echeck_R10',
] as const
export type Scenario = (typeof scenarios)[number]

interface Charge {
  intent: Intent
  account: string
  /** Next states, reached automatically or after the payer's response. */
  next: Intent['status'][]
  /** Scenario of the payment method that confirmed the charge. */
  scenario?: Scenario
}

/**
 * In-memory payment provider that behaves like the sandbox gateway. For tests with thousands of payments that can fail
 * at every step. It records all charges. `events` has the undelivered events.
 */
export class ProviderModel implements Provider {
  readonly name: string
  readonly fieldsOrigin = 'http://fields.test'
  readonly test = true
  readonly charges = new Map<string, Charge>()
  readonly refunds = new Map<string, Refund>()
  readonly disputes = new Map<string, Dispute>()
  /** The provider's own record of all movements, in order. Complete even if events are lost. */
  readonly movements: Movement[] = []
  readonly events: ProviderEvent[] = []
  /** Reasons that staff entered for refunds. */
  readonly reasons: string[] = []
  readonly #responses = new Map<string, string>()
  readonly #tokens = new Map<string, Scenario>()
  readonly #stored = new Map<string, Scenario>()
  readonly #idle = new Map<string, StoredMethod & { customer: string }>()

  constructor(name = 'sandbox') {
    this.name = name
  }

  token(scenario: Scenario): string {
    const token = `tok_${randomUUID()}`
    this.#tokens.set(token, scenario)
    return token
  }

  /** Saves a payment method. Unlike a token, a saved method can pay repeatedly. */
  store(scenario: Scenario, id = `pm_${randomUUID()}`): string {
    this.#stored.set(id, scenario)
    return id
  }

  /** Brand and funding that the provider reports for every card entered. */
  card: CardKind = { brand: 'visa', funding: null }
  async cardOf(): Promise<CardKind> {
    return this.card
  }

  readonly stored: StoredVerbs = {
    setup: async (_account, { token, method, customer }, key) =>
      this.#once(key, (): Setup => {
        const scenario = this.#tokens.get(token)
        this.#tokens.delete(token)
        if (scenario === undefined || scenario === 'challenge')
          return { status: 'failed', error: { code: 'invalid_token', message: 'used' } }
        const stored = {
          id: this.store(scenario),
          method,
          methodLabel: 'Visa ending 4242',
          expires: null,
          bankName: null,
        }
        this.#idle.set(stored.id, { ...stored, customer: customer.reference })
        return { status: 'succeeded', customer: customer.reference, stored }
      }),
    getSetup: async () => ({ status: 'failed', error: { code: 'unknown', message: '' } }),
    list: async (_account, customer) => [...this.#idle.values()].filter((stored) => stored.customer === customer),
    remove: async (_account, id) => {
      this.#idle.delete(id)
      this.#stored.delete(id)
    },
  }

  async ensureAccount(reference: string): Promise<string> {
    return `acct_${reference}`
  }

  async createIntent(account: string, request: Parameters<Provider['createIntent']>[1], key: string): Promise<Intent> {
    return this.#once(key, () => {
      const intent: Intent = {
        id: `pi_${randomUUID()}`,
        status: 'requires_confirmation',
        amountCents: request.amountCents,
        refundedCents: 0,
        error: null,
        actionUrl: null,
        methodLabel: 'Visa ending 4242',
        returnCode: null,
        companyId: request.companyId,
      }
      this.charges.set(intent.id, { intent, account, next: [] })
      return intent
    })
  }

  async confirmIntent(
    _account: string,
    id: string,
    source: PaymentSource,
    _returnUrl: string,
    key: string,
  ): Promise<Intent> {
    return this.#once(key, () => {
      const charge = this.#charge(id)
      if (charge.intent.status === 'canceled') throw new ProviderRefused('it was cancelled')
      if (charge.intent.status !== 'requires_confirmation') return charge.intent
      const scenario =
        'token' in source
          ? this.#tokens.get(source.token)
          : 'sameAs' in source
            ? this.paysAgain(source.sameAs)
            : this.#stored.get('stored' in source ? source.stored : '')
      if (scenario) charge.scenario = scenario
      if ('token' in source) this.#tokens.delete(source.token)
      if (scenario === undefined)
        return this.#become(charge, 'failed', { error: { code: 'invalid_token', message: 'used' } })
      if (scenario === 'ok' || scenario === 'ok_once') return this.#become(charge, 'succeeded')
      if (scenario === 'declined')
        return this.#become(charge, 'failed', { error: { code: 'card_declined', message: 'no' } })
      const isOffSession = 'sameAs' in source || ('stored' in source && !source.present)
      if (scenario === 'challenge' && isOffSession)
        return this.#become(charge, 'failed', { error: { code: 'authentication_required', message: 'away' } })
      if (scenario === 'challenge') {
        charge.next = ['succeeded']
        return this.#become(charge, 'requires_action', { actionUrl: 'http://bank.test' })
      }
      charge.next =
        scenario === 'echeck_R01' ? ['failed'] : scenario === 'echeck_R10' ? ['succeeded', 'returned'] : ['succeeded']
      return this.#become(charge, 'processing')
    })
  }

  /** Returns the scenario that applies if the payment method of a charge is used for another payment. */
  paysAgain(id: string): Scenario | undefined {
    const { scenario } = this.#charge(id)
    return scenario === 'ok_once' ? 'declined' : scenario
  }

  async cancelIntent(_account: string, id: string, key: string): Promise<Intent> {
    return this.#once(key, () => {
      const charge = this.#charge(id)
      if (charge.intent.status === 'canceled') return charge.intent
      if (charge.intent.status !== 'requires_confirmation' && charge.intent.status !== 'requires_action')
        throw new ProviderRefused('too late to cancel')
      charge.next = []
      return this.#become(charge, 'canceled')
    })
  }

  async voidIntent(_account: string, id: string, key: string): Promise<Intent> {
    return this.#once(key, () => {
      const charge = this.#charge(id)
      if (charge.intent.status !== 'succeeded' || charge.intent.refundedCents > 0)
        throw new ProviderRefused('it cannot be voided')
      charge.next = []
      this.#become(charge, 'canceled')
      this.#move(charge, 'void', 'intent', id, -charge.intent.amountCents)
      return charge.intent
    })
  }

  async createRefund(
    _account: string,
    id: string,
    { amountCents, line, reason }: NewRefund,
    key: string,
  ): Promise<Refund> {
    return this.#once(key, () => {
      const charge = this.#charge(id)
      const { status, refundedCents } = charge.intent
      if (status !== 'succeeded' || amountCents > charge.intent.amountCents - refundedCents)
        throw new ProviderRefused('that is more than is left to refund')
      this.reasons.push(reason)
      return this.#refund(charge, amountCents, line)
    })
  }

  async getIntent(_account: string, id: string): Promise<Intent> {
    return { ...this.#charge(id).intent }
  }

  async getRefund(_account: string, id: string): Promise<Refund> {
    const refund = this.refunds.get(id)
    if (!refund) throw new ProviderRefused('no such refund')
    return { ...refund }
  }

  async getDispute(_account: string, id: string): Promise<Dispute> {
    const dispute = this.disputes.get(id)
    if (!dispute) throw new ProviderRefused('no such dispute')
    return { ...dispute }
  }

  async listMovements(after: string | null, limit: number): Promise<{ movements: Movement[]; more: boolean }> {
    const from = after === null ? 0 : this.movements.findIndex(({ id }) => id === after) + 1
    if (after !== null && from === 0) throw new ProviderRefused('no such movement')
    return { movements: this.movements.slice(from, from + limit), more: this.movements.length > from + limit }
  }

  readonly signatureHeader = 'none'

  /** The events are not signed, because the test delivers them directly. */
  readEvent(rawBody: string): ProviderEvent {
    return JSON.parse(rawBody) as ProviderEvent
  }

  /** Advances the nth unfinished charge by one step. */
  advance(index: number): void {
    const pendingCharges = [...this.charges.values()].filter(({ next }) => next.length > 0)
    const charge = pendingCharges[index % Math.max(1, pendingCharges.length)]
    const to = charge?.next.shift()
    if (charge && to)
      this.#become(charge, to, to === 'returned' ? { returnCode: 'R10' } : to === 'failed' ? { returnCode: 'R01' } : {})
  }

  /**
   * Ends a challenge by the payer or their bank. Without an error, the charge is paid. Otherwise, the charge fails with
   * that error.
   */
  resolveChallenge(id: string, error: Intent['error']): void {
    const charge = this.#charge(id)
    if (charge.intent.status !== 'requires_action') return
    charge.next = []
    this.#become(charge, error ? 'failed' : 'succeeded', { error })
  }

  get unfinished(): boolean {
    return [...this.charges.values()].some(({ next }) => next.length > 0)
  }

  /**
   * Refunds a percentage of the remaining amount of the nth paid charge, directly at the provider. The bank may still
   * return an eCheck after the refund.
   */
  refund(index: number, percent: number): void {
    const charge = this.#nth(index, ({ intent }) => intent.refundedCents < intent.amountCents)
    if (!charge) return
    const left = charge.intent.amountCents - charge.intent.refundedCents
    const amountCents = Math.max(1, Math.floor((left * percent) / 100))
    this.#refund(charge, amountCents)
  }

  #refund(charge: Charge, amountCents: number, line: number | null = null): Refund {
    charge.intent.refundedCents += amountCents
    const intentId = charge.intent.id
    const refund: Refund = { id: `re_${randomUUID()}`, intentId, amountCents, status: 'succeeded', line }
    this.refunds.set(refund.id, refund)
    this.#move(charge, 'refund', 'refund', refund.id, -amountCents)
    return refund
  }

  /** Makes the nth refund fail, because the payer's bank could not accept it. The money returns to the provider. */
  failRefund(index: number): void {
    const paid = [...this.refunds.values()].filter(({ status }) => status === 'succeeded')
    const refund = paid[index % Math.max(1, paid.length)]
    if (!refund) return
    const charge = this.#charge(refund.intentId)
    refund.status = 'failed'
    charge.intent.refundedCents -= refund.amountCents
    this.#move(charge, 'refund_failed', 'refund', refund.id, refund.amountCents)
  }

  /** Opens a dispute on the nth charge. The provider withdraws the whole amount until the dispute is decided. */
  dispute(index: number): void {
    const charge = this.#nth(index, ({ intent }) => this.#disputesOf(intent.id).length === 0)
    if (charge) this.disputeOf(charge.intent.id)
  }

  disputeOf(id: string): void {
    const charge = this.#charge(id)
    const { id: intentId, amountCents } = charge.intent
    const dispute: Dispute = { id: `dp_${randomUUID()}`, intentId, amountCents, status: 'needs_response' }
    this.disputes.set(dispute.id, dispute)
    this.#move(charge, 'dispute', 'dispute', dispute.id, -amountCents)
  }

  /** Decides the nth open dispute. */
  decide(index: number, status: 'won' | 'lost'): void {
    const open = [...this.disputes.values()].filter((dispute) => dispute.status === 'needs_response')
    const dispute = open[index % Math.max(1, open.length)]
    if (!dispute) return
    dispute.status = status
    const reinstatedCents = status === 'won' ? dispute.amountCents : 0
    this.#move(this.#charge(dispute.intentId), `dispute_${status}`, 'dispute', dispute.id, reinstatedCents)
  }

  /** Returns the amount of a charge that the provider still has, in cents. */
  held(intentId: string | null): number {
    return this.movements
      .filter((movement) => movement.intentId === intentId)
      .reduce((sum, { amountCents }) => sum + amountCents, 0)
  }

  #disputesOf(intentId: string): Dispute[] {
    return [...this.disputes.values()].filter((dispute) => dispute.intentId === intentId)
  }

  #nth(index: number, fits: (charge: Charge) => boolean): Charge | undefined {
    const paid = [...this.charges.values()].filter((charge) => charge.intent.status === 'succeeded' && fits(charge))
    return paid[index % Math.max(1, paid.length)]
  }

  #charge(id: string): Charge {
    const charge = this.charges.get(id)
    if (!charge) throw new ProviderRefused('no such intent')
    return charge
  }

  #become(charge: Charge, status: Intent['status'], patch: Partial<Intent> = {}): Intent {
    Object.assign(charge.intent, { actionUrl: null }, patch, { status })
    const { id, amountCents } = charge.intent
    if (status === 'succeeded') this.#move(charge, 'capture', 'intent', id, amountCents)
    else if (status === 'returned') this.#move(charge, 'return', 'intent', id, -amountCents)
    else this.#tell(charge, `intent.${status}`, 'intent', id)
    return charge.intent
  }

  #move(
    charge: Charge,
    movementType: Movement['movementType'],
    object: Movement['object'],
    objectId: string,
    amountCents: number,
  ): void {
    const { id: intentId, companyId } = charge.intent
    const id = `mv_${randomUUID()}`
    this.movements.push({
      id,
      movementType,
      account: charge.account,
      intentId,
      object,
      objectId,
      amountCents,
      companyId,
    })
    this.#tell(charge, movementType, object, objectId)
  }

  #tell(charge: Charge, type: string, object: ProviderEvent['object'], objectId: string): void {
    const { account, intent } = charge
    this.events.push({ provider: this.name, id: randomUUID(), type, account, intentId: intent.id, object, objectId })
  }

  /** Deletes the idempotency keys, so that a repeated request runs again. */
  forgetKeys(): void {
    this.#responses.clear()
  }

  /** Returns the stored response for an idempotency key. If none exists, runs `work` and stores its response. */
  #once<T extends object>(key: string, work: () => T): T {
    const stored = this.#responses.get(key)
    if (stored !== undefined) return JSON.parse(stored) as T
    const response = work()
    this.#responses.set(key, JSON.stringify(response))
    return { ...response }
  }
}

/**
 * Planned outcome of one provider call or portal transaction. `late`: the call takes effect long after all callers have
 * stopped waiting.
 */
export type CallFate = 'fine' | 'silent before' | 'silent after' | 'crash before' | 'crash after' | 'late'

/** Never resolves, like the work of a killed process. */
export const crash = (): Promise<never> => new Promise(() => {})

/** Wraps a provider so that each call has the planned outcome that `next` returns. */
export function fateful(
  provider: Provider,
  /** Returns the planned outcome of the next call with this name. */
  next: (call: string) => CallFate,
  onCrash: () => void,
  standStill: () => Promise<void>,
): Provider {
  const meet =
    <A extends unknown[], R>(name: string, call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      const fate = next(name)
      if (fate === 'late') await standStill()
      if (fate === 'silent before') throw new ProviderSilent('nobody answered')
      if (fate === 'crash before') {
        onCrash()
        return crash()
      }
      const response = await call(...args)
      if (fate === 'silent after') throw new ProviderSilent('the answer got lost')
      if (fate === 'crash after') {
        onCrash()
        return crash()
      }
      return response
    }
  return {
    name: provider.name,
    fieldsOrigin: provider.fieldsOrigin,
    test: provider.test,
    ensureAccount: (reference, name) => provider.ensureAccount(reference, name),
    createIntent: meet('createIntent', (...args) => provider.createIntent(...args)),
    confirmIntent: meet('confirmIntent', (...args) => provider.confirmIntent(...args)),
    getIntent: meet('getIntent', (...args) => provider.getIntent(...args)),
    cancelIntent: meet('cancelIntent', (...args) => provider.cancelIntent(...args)),
    stored: provider.stored,
    voidIntent: meet('voidIntent', (...args) => provider.voidIntent(...args)),
    createRefund: meet('createRefund', (...args) => provider.createRefund(...args)),
    getRefund: meet('getRefund', (...args) => provider.getRefund(...args)),
    getDispute: meet('getDispute', (...args) => provider.getDispute(...args)),
    listMovements: meet('listMovements', (...args) => provider.listMovements(...args)),
    signatureHeader: provider.signatureHeader,
    readEvent: (...args) => provider.readEvent(...args),
  }
}
