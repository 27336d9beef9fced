import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import {
  type Dispute,
  type Intent,
  type Movement,
  type Payout,
  type PayoutLine,
  type Provider,
  type ProviderEvent,
  ProviderRefused,
  ProviderSilent,
  type Reader,
  type Refund,
  type Setup,
} from './provider.ts'
import { brandNamed, fundingNamed } from '../../rules-fees.ts'
import { describe } from './method-label.ts'
import { methodResponse, setup, setupAnswer, storedMethod, storedMethodAnswer } from './sandbox-methods.ts'

/** Maximum age of an event, and maximum clock difference. It prevents the replay of recorded events. */
const TOLERANCE_SECONDS = 300
const TIMEOUT_MS = 10_000

export interface SandboxSettings {
  /** Address of the gateway for the portal. */
  url: string
  /** Address of the gateway for browsers. */
  publicOrigin: string
  apiKey: string
  webhookSecret: string
  timeoutMs?: number
}

const intentAnswer = z.object({
  id: z.string(),
  status: z.enum([
    'requires_confirmation',
    'requires_action',
    'processing',
    'succeeded',
    'failed',
    'canceled',
    'returned',
  ]),
  amount_cents: z.int(),
  refunded_cents: z.int(),
  error: z.nullable(z.object({ code: z.string(), message: z.string() })),
  next_action: z.nullable(z.object({ url: z.string() })),
  payment_method: z.nullable(methodResponse),
  return_code: z.nullable(z.string()),
  metadata: z.nullish(z.record(z.string(), z.unknown())),
})

const refundAnswer = z.object({
  id: z.string(),
  intent: z.string(),
  amount_cents: z.int(),
  status: z.enum(['pending', 'succeeded', 'failed']),
  metadata: z.nullish(z.record(z.string(), z.unknown())),
})

const disputeAnswer = z.object({
  id: z.string(),
  intent: z.string(),
  amount_cents: z.int(),
  status: z.enum(['needs_response', 'under_review', 'won', 'lost']),
})

const readerAnswer = z.object({ id: z.string(), label: z.string(), test_url: z.string() })
const reader = ({ id, label, test_url: testUrl }: z.output<typeof readerAnswer>): Reader => ({ id, label, testUrl })

const objects = z.enum(['intent', 'refund', 'dispute'])
const accountStatusResponse = z.object({
  state: z.enum(['in_progress', 'missing', 'in_review', 'on_hold', 'ready']),
  takes_payments: z.boolean(),
  paid_out: z.boolean(),
  missing: z.array(z.string()),
  due_at: z.nullable(z.string()),
  why: z.string(),
})

const ways = z.enum(['capture', 'void', 'refund', 'refund_failed', 'return', 'dispute', 'dispute_won', 'dispute_lost'])

const transactionsAnswer = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: ways,
      account: z.string(),
      intent: z.string(),
      object: objects,
      object_id: z.string(),
      amount_cents: z.int(),
      metadata: z.nullish(z.record(z.string(), z.unknown())),
    }),
  ),
  has_more: z.boolean(),
})

const payoutsAnswer = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      account: z.string(),
      amount_cents: z.int(),
      fee_cents: z.int(),
      lines: z.int(),
      trace: z.string(),
      arrives_on: z.string(),
      created_at: z.string(),
    }),
  ),
  has_more: z.boolean(),
})

const payoutLinesAnswer = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: ways,
      intent: z.string(),
      object_id: z.string(),
      amount_cents: z.int(),
      fee_cents: z.int(),
      created_at: z.string(),
    }),
  ),
  has_more: z.boolean(),
})

const eventBody = z.object({
  id: z.string(),
  type: z.string(),
  account: z.string(),
  data: z.object({
    object: z.enum(['intent', 'refund', 'dispute', 'account']),
    object_id: z.string(),
    intent: z.string(),
  }),
})

/** Test card of the sandbox that always pays. It belongs to no person. */
const TEST_CARD = { type: 'card', number: '4242424242424242', month: 12, year: 2040, cvc: '123' }

/** Simulates a browser that submits the hosted fields, to try a provider. Returns the token. */
export async function typedInto(
  { url, timeoutMs }: Pick<SandboxSettings, 'url' | 'timeoutMs'>,
  account: string,
  typed: object,
): Promise<string> {
  const response = await fetch(`${url}/fields/tokens?account=${encodeURIComponent(account)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(typed),
    signal: AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new ProviderSilent('the gateway did not answer', { cause })
  })
  if (response.status >= 500) throw new ProviderSilent(`the gateway answered ${response.status}`)
  const parsed = z.object({ token: z.string() }).safeParse(await response.json().catch(() => null))
  if (!response.ok || !parsed.success) throw new ProviderRefused(`the gateway answered ${response.status}`)
  return parsed.data.token
}

/** Adapter of the sandbox gateway. It uses only HTTP. */
export function sandboxProvider(settings: SandboxSettings): Provider {
  async function callSandbox<T>(
    method: 'GET' | 'POST',
    path: string,
    account: string | null,
    answer: z.ZodMiniType<T>,
    body?: unknown,
    key?: string,
  ) {
    const headers: Record<string, string> = { authorization: `Bearer ${settings.apiKey}` }
    if (account) headers['gateway-account'] = account
    if (key) headers['idempotency-key'] = key
    if (body !== undefined) headers['content-type'] = 'application/json'
    let status: number
    let text: string
    try {
      const response = await fetch(settings.url + path, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(settings.timeoutMs ?? TIMEOUT_MS),
      })
      status = response.status
      text = await response.text()
    } catch (error) {
      throw new ProviderSilent('the gateway did not answer', { cause: error })
    }
    if (status >= 500 || status === 409 || status === 429) throw new ProviderSilent(`the gateway answered ${status}`)
    if (status >= 400) throw new ProviderRefused(`the gateway answered ${status}: ${complaintOf(text)}`)
    const parsed = answer.safeParse(JSON.parse(text))
    if (!parsed.success) throw new ProviderSilent('the gateway answered in another shape', { cause: parsed.error })
    return parsed.data
  }

  const intent = (answer: z.output<typeof intentAnswer>): Intent => ({
    id: answer.id,
    status: answer.status,
    amountCents: answer.amount_cents,
    refundedCents: answer.refunded_cents,
    error: answer.error,
    actionUrl: answer.next_action?.url ?? null,
    methodLabel: describe(answer.payment_method),
    returnCode: answer.return_code,
    companyId: companyOf(answer.metadata),
  })

  const refund = ({
    id,
    intent: intentId,
    amount_cents: amountCents,
    status,
    metadata,
  }: z.output<typeof refundAnswer>): Refund => ({
    id,
    intentId,
    amountCents,
    status,
    line: Number(metadata?.['line']) || null,
  })

  return {
    name: 'sandbox',
    fieldsOrigin: settings.publicOrigin,
    test: true,
    async ensureAccount(reference, name, asksFirst = false) {
      const { id } = await callSandbox(
        'POST',
        '/v1/accounts',
        null,
        z.object({ id: z.string() }),
        { reference, name, ...(asksFirst && { asks_first: true }) },
        `account-${reference}${asksFirst ? '-asked' : ''}`,
      )
      return id
    },
    onboarding: {
      asksFirst: false,
      async link(account, returnUrl, refreshUrl) {
        const body = { return_url: returnUrl, refresh_url: refreshUrl }
        const answer = z.object({ path: z.string() })
        const { path } = await callSandbox('POST', '/v1/account_links', account, answer, body, randomUUID())
        return settings.publicOrigin + path
      },
      async loadStatus(account) {
        const accountStatus = await callSandbox('GET', '/v1/account', account, accountStatusResponse)
        return {
          state: accountStatus.state,
          takesPayments: accountStatus.takes_payments,
          isPaidOut: accountStatus.paid_out,
          missing: accountStatus.missing,
          dueAt: accountStatus.due_at === null ? null : new Date(accountStatus.due_at),
          why: accountStatus.why,
        }
      },
    },
    trial: {
      method: 'card',
      createSource: async (account) => ({ token: await typedInto(settings, account, TEST_CARD) }),
    },
    async createIntent(account, request, key) {
      const body = {
        amount_cents: request.amountCents,
        fee_cents: request.feeCents,
        method: request.method,
        description: request.description,
        metadata: {
          company_id: String(request.companyId),
          ...(request.statement !== undefined && { statement: request.statement }),
        },
      }
      return intent(await callSandbox('POST', '/v1/intents', account, intentAnswer, body, key))
    },
    async confirmIntent(account, id, source, returnUrl, key) {
      if ('reader' in source) {
        const path = `/v1/terminal/readers/${source.reader}/process`
        return intent(await callSandbox('POST', path, account, intentAnswer, { intent: id }, key))
      }
      const paidBy =
        'token' in source
          ? { token: source.token }
          : 'sameAs' in source
            ? { same_as: source.sameAs }
            : { payment_method: source.stored, off_session: !source.present }
      const body = { ...paidBy, return_url: returnUrl }
      return intent(await callSandbox('POST', `/v1/intents/${id}/confirm`, account, intentAnswer, body, key))
    },
    async getIntent(account, id) {
      return intent(await callSandbox('GET', `/v1/intents/${id}`, account, intentAnswer))
    },
    async cancelIntent(account, id, key) {
      return intent(await callSandbox('POST', `/v1/intents/${id}/cancel`, account, intentAnswer, {}, key))
    },
    async cardOf(account, token) {
      const answer = z.object({ brand: z.nullable(z.string()), funding: z.nullable(z.string()) })
      const { brand, funding } = await callSandbox('GET', `/v1/tokens/${encodeURIComponent(token)}`, account, answer)
      return { brand: brandNamed(brand), funding: fundingNamed(funding) }
    },
    stored: {
      async setup(account, { customer, method, token, mandate, returnUrl }, key): Promise<Setup> {
        const storedCustomer = await callSandbox(
          'POST',
          '/v1/customers',
          account,
          z.object({ id: z.string() }),
          customer,
          `${key}/customer`,
        )
        const setupIntent = await callSandbox(
          'POST',
          '/v1/setup_intents',
          account,
          setupAnswer,
          { customer: storedCustomer.id, method },
          key,
        )
        const agreed = {
          text: mandate.text,
          accepted_at: mandate.acceptedAt.toISOString(),
          ip_address: mandate.address,
          user_agent: mandate.device.slice(0, 500),
        }
        const path = `/v1/setup_intents/${setupIntent.id}/confirm`
        const confirmed = { token, mandate: agreed, return_url: returnUrl }
        return setup(await callSandbox('POST', path, account, setupAnswer, confirmed, `${key}/confirm`))
      },
      async getSetup(account, id) {
        return setup(await callSandbox('GET', `/v1/setup_intents/${id}`, account, setupAnswer))
      },
      async list(account, customer) {
        const answer = z.object({ data: z.array(storedMethodAnswer) })
        const { data } = await callSandbox('GET', `/v1/customers/${customer}/payment_methods`, account, answer)
        return data.map(storedMethod)
      },
      async remove(account, id, key) {
        await callSandbox('POST', `/v1/payment_methods/${id}/detach`, account, storedMethodAnswer, {}, key)
      },
    },
    terminal: {
      async pair(account, { code, label }, key) {
        return reader(
          await callSandbox(
            'POST',
            '/v1/terminal/readers',
            account,
            readerAnswer,
            { registration_code: code, label },
            key,
          ),
        )
      },
      async list(account) {
        const { data } = await callSandbox(
          'GET',
          '/v1/terminal/readers',
          account,
          z.object({ data: z.array(readerAnswer) }),
        )
        return data.map(reader)
      },
      async clear(account, id, key) {
        await callSandbox('POST', `/v1/terminal/readers/${id}/cancel_action`, account, readerAnswer, {}, key)
      },
      async remove(account, id, key) {
        await callSandbox('POST', `/v1/terminal/readers/${id}/remove`, account, readerAnswer, {}, key)
      },
    },
    async voidIntent(account, id, key) {
      return intent(await callSandbox('POST', `/v1/intents/${id}/void`, account, intentAnswer, {}, key))
    },
    async createRefund(account, intentId, { amountCents, line, reason }, key): Promise<Refund> {
      const body = { intent: intentId, amount_cents: amountCents, reason, metadata: line === null ? {} : { line } }
      return refund(await callSandbox('POST', '/v1/refunds', account, refundAnswer, body, key))
    },
    async getRefund(account, id): Promise<Refund> {
      return refund(await callSandbox('GET', `/v1/refunds/${id}`, account, refundAnswer))
    },
    async getDispute(account, id): Promise<Dispute> {
      const answer = await callSandbox('GET', `/v1/disputes/${id}`, account, disputeAnswer)
      return { id: answer.id, intentId: answer.intent, amountCents: answer.amount_cents, status: answer.status }
    },
    async listMovements(after, limit) {
      const path = `/v1/balance_transactions?${pageAfter(after, limit)}`
      const answer = await callSandbox('GET', path, null, transactionsAnswer)
      const movements = answer.data.map((line): Movement => ({
        id: line.id,
        way: line.type,
        account: line.account,
        intentId: line.intent,
        object: line.object,
        objectId: line.object_id,
        amountCents: line.amount_cents,
        companyId: companyOf(line.metadata),
      }))
      return { movements, more: answer.has_more }
    },
    settlement: {
      byAccount: false,
      async listPayouts(_account, after, limit) {
        const { data, has_more: more } = await callSandbox(
          'GET',
          `/v1/payouts?${pageAfter(after, limit)}`,
          null,
          payoutsAnswer,
        )
        const payouts = data.map(
          ({
            amount_cents: amountCents,
            fee_cents: feeCents,
            arrives_on: arrivesOn,
            created_at,
            ...payout
          }): Payout => ({
            ...payout,
            amountCents,
            feeCents,
            arrivesOn,
            at: new Date(created_at),
          }),
        )
        return { payouts, more }
      },
      async listLines(account, payout, after, limit) {
        const path = `/v1/payouts/${payout}/balance_transactions?${pageAfter(after, limit)}`
        const { data, has_more: more } = await callSandbox('GET', path, account, payoutLinesAnswer)
        const lines = data.map((line): PayoutLine => ({
          id: line.id,
          way: line.type,
          intentId: line.intent,
          objectId: line.object_id,
          amountCents: line.amount_cents,
          feeCents: line.fee_cents,
          at: new Date(line.created_at),
        }))
        return { lines, more }
      },
    },
    signatureHeader: 'gateway-signature',
    readEvent(rawBody, signature, now): ProviderEvent {
      verify(settings.webhookSecret, rawBody, signature, now)
      const event = eventBody.parse(JSON.parse(rawBody))
      return {
        provider: 'sandbox',
        id: event.id,
        type: event.type,
        account: event.account,
        intentId: event.data.intent,
        object: event.data.object,
        objectId: event.data.object_id,
      }
    },
  }
}

const pageAfter = (after: string | null, limit: number) =>
  new URLSearchParams({ limit: String(limit), ...(after !== null && { starting_after: after }) }).toString()

const refusal = z.object({ error: z.object({ message: z.string() }) })

/** Returns the message of a refusal, or the raw response without one. */
function complaintOf(text: string): string {
  try {
    return refusal.parse(JSON.parse(text)).error.message
  } catch {
    return text.slice(0, 200)
  }
}

const companyOf = (metadata: Record<string, unknown> | null | undefined) => Number(metadata?.['company_id']) || null

/** Checks `t=<seconds>,v1=<hex hmac-sha256 of "t.body">` on the raw body. The time must be neither past nor future. */
function verify(secret: string, rawBody: string, signature: string | undefined, now: Date): void {
  const [, seconds = '', receivedSignature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? []
  const expected = createHmac('sha256', secret).update(`${seconds}.${rawBody}`).digest()
  const ours = Buffer.from(receivedSignature, 'hex')
  if (ours.length !== expected.length || !timingSafeEqual(ours, expected))
    throw new ProviderRefused('the signature is wrong')
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS)
    throw new ProviderRefused('the event is too old or too new')
}
