import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { RecordedGateway } from '../../test/recorded-gateway.ts'
import { recordedStripe } from '../../test/stripe/recorded-stripe.ts'
import { bankfileProvider } from './server/providers/bankfile.ts'
import { type NewIntent, type Provider, ProviderRefused, ProviderSilent } from './server/providers/provider.ts'
import { sandboxProvider } from './server/providers/sandbox/sandbox.ts'
import { stripeProvider } from './server/providers/stripe/stripe.ts'

/** Tests each adapter without a portal: its requests to the provider and its handling of responses. */

const NOW = new Date('2026-11-20T15:00:00Z')
const SECRET = 'a-secret'
const intentRequest = (more: Partial<NewIntent> = {}): NewIntent => ({
  ...{ amountCents: 103_05, feeCents: 3_05, method: 'echeck', description: 'Maple Grove', companyId: 7 },
  ...more,
})

const gateways = [
  { name: 'sandbox', open: sandboxProvider, gateway: await new RecordedGateway('sandbox').listen() },
  {
    name: 'bankfile',
    open: (settings: Parameters<typeof sandboxProvider>[0]) => bankfileProvider({ ...settings, live: false }),
    gateway: await new RecordedGateway('bankfile').listen(),
  },
]
afterAll(async () => {
  for (const { gateway } of gateways) await gateway.close()
})

describe.each(gateways)('adapter of $name', ({ name, open, gateway }) => {
  const settings = { url: gateway.url, publicOrigin: gateway.url, apiKey: 'a-key', webhookSecret: SECRET }
  const provider: Provider = open(settings)
  beforeEach(() => {
    gateway.forget()
    gateway.requests.length = 0
  })
  const last = () => gateway.requests.at(-1)
  const paid = async () => {
    const { id } = await provider.createIntent('acct_1', intentRequest(), randomUUID())
    await provider.confirmIntent('acct_1', id, { token: gateway.model.token('echeck_R10') }, '', randomUUID())
    gateway.model.advance(0)
    return id
  }

  test('creates a charge once per key, with account, fee and company', async () => {
    const first = await provider.createIntent('acct_1', intentRequest(), 'key-1')
    expect(last()).toEqual({
      ...{ name: 'POST /intents', key: 'key-1', account: 'acct_1' },
      body: {
        ...{ amount_cents: 103_05, fee_cents: 3_05, method: 'echeck', description: 'Maple Grove' },
        metadata: { company_id: '7' },
      },
    })
    expect(await provider.createIntent('acct_1', intentRequest(), 'key-1')).toEqual(first)
    expect(first).toMatchObject({ companyId: 7, amountCents: 103_05, status: 'requires_confirmation' })
  })

  test('marks charges of a saved method as off-session without the payer', async () => {
    const { id } = await provider.createIntent('acct_1', intentRequest(), 'key-1')
    const stored = gateway.model.store('echeck')
    await provider.confirmIntent('acct_1', id, { stored }, '', 'key-2')
    expect(last()?.body).toMatchObject({ payment_method: stored, off_session: true })
    await provider.confirmIntent('acct_1', id, { stored, present: true }, 'https://town.example/', 'key-3')
    expect(last()?.body).toMatchObject({ off_session: false, return_url: 'https://town.example/' })
  })

  test('treats missing and broken answers as silence, and refusals as refusals', async () => {
    for (const status of [500, 503, 409, 429]) {
      gateway.fault = status
      await expect(provider.createIntent('acct_1', intentRequest(), 'key-1')).rejects.toThrow(ProviderSilent)
    }
    gateway.fault = 402
    await expect(provider.createIntent('acct_1', intentRequest(), 'key-1')).rejects.toThrow(ProviderRefused)
    const nobody = open({ ...settings, url: 'http://127.0.0.1:1' })
    await expect(nobody.getIntent('acct_1', 'pi_1')).rejects.toThrow(ProviderSilent)
  })

  test('refunds a part with the refund’s key and line, and reads both', async () => {
    const id = await paid()
    const refund = await provider.createRefund('acct_1', id, { amountCents: 7_01, line: 2, reason: 'Twice' }, 'key-9')
    expect(last()).toMatchObject({ key: 'key-9', account: 'acct_1', body: { amount_cents: 7_01, reason: 'Twice' } })
    expect(refund).toMatchObject({ amountCents: 7_01, line: 2, status: 'succeeded', intentId: id })
    expect(await provider.getRefund('acct_1', refund.id)).toEqual(refund)
    const { movements } = await provider.listMovements(null, 10)
    expect(movements.map(({ movementType, amountCents, companyId }) => [movementType, amountCents, companyId])).toEqual(
      [
        ['capture', 103_05, 7],
        ['refund', -7_01, 7],
      ],
    )
    expect((await provider.listMovements(movements[0]?.id ?? '', 10)).movements).toHaveLength(1)
  })

  test('reports a return with its code', async () => {
    const id = await paid()
    gateway.model.advance(0)
    expect(await provider.getIntent('acct_1', id)).toMatchObject({ status: 'returned', returnCode: 'R10' })
  })

  test('accepts only events with its own signature and a recent time', () => {
    const body = JSON.stringify({
      ...{ id: 'evt_1', type: 'capture', account: 'acct_1' },
      data: { object: 'intent', object_id: 'pi_1', intent: 'pi_1' },
    })
    const signed = (secondsAgo: number, secret = SECRET) => {
      const at = Math.floor(NOW.getTime() / 1000) - secondsAgo
      return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
    }
    expect(provider.readEvent(body, signed(0), NOW)).toMatchObject({ id: 'evt_1', objectId: 'pi_1', object: 'intent' })
    for (const invalidSignature of [signed(301), signed(-301), signed(0, 'another'), undefined])
      expect(() => provider.readEvent(body, invalidSignature, NOW)).toThrow(ProviderRefused)
  })

  test('has its name and is marked as a test provider', () => {
    expect(provider).toMatchObject({ name, test: true })
  })
})

describe('adapter of the sandbox', () => {
  const [{ gateway } = expect.fail('it is there')] = gateways
  const provider = sandboxProvider({ url: gateway.url, publicOrigin: '', apiKey: 'a-key', webhookSecret: SECRET })

  test('charges a fee with the bill’s payment method under a separate name', async () => {
    const bill = await provider.createIntent(
      'acct_1',
      intentRequest({ method: 'card', statement: 'MAPLE GROVE' }),
      'k1',
    )
    expect(gateway.requests.at(-1)?.body).toMatchObject({ metadata: { company_id: '7', statement: 'MAPLE GROVE' } })
    await provider.confirmIntent('acct_1', bill.id, { token: gateway.model.token('ok_once') }, '', 'k2')
    const fee = await provider.createIntent('acct_1', intentRequest({ method: 'card', after: bill.id }), 'k3')
    const response = await provider.confirmIntent('acct_1', fee.id, { sameAs: bill.id }, '', 'k4')
    expect(gateway.requests.at(-1)?.body).toMatchObject({ same_as: bill.id })
    expect(response).toMatchObject({ status: 'failed', error: { code: 'card_declined' } })
  })
})

describe('adapter of the bank-file provider', () => {
  const [, { gateway } = expect.fail('it is there')] = gateways
  const settings = { url: gateway.url, publicOrigin: '', apiKey: 'a-key', webhookSecret: SECRET }
  const provider = bankfileProvider({ ...settings, live: true })

  test('refuses cards, card readers, second charges and disputes without a request', async () => {
    gateway.requests.length = 0
    const refused = (work: Promise<unknown>) => expect(work).rejects.toThrow(ProviderRefused)
    await refused(provider.createIntent('acct_1', intentRequest({ method: 'card' }), 'k1'))
    await refused(provider.confirmIntent('acct_1', 'pi_1', { reader: 'r_1' }, '', 'k2'))
    await refused(provider.confirmIntent('acct_1', 'pi_1', { sameAs: 'pi_0' }, '', 'k3'))
    await refused(provider.getDispute('acct_1', 'dp_1'))
    const mandate = { text: 'I agree.', acceptedAt: NOW, address: '127.0.0.1', device: '' }
    const customer = { reference: 'p1', name: 'Ada', email: 'ada@example.com' }
    const setup = { customer, method: 'card', token: 'tok_1', mandate, returnUrl: '' } as const
    expect(await provider.stored.setup('acct_1', setup, 'k4')).toMatchObject({ error: { code: 'echecks_only' } })
    expect(gateway.requests).toEqual([])
    expect(provider.terminal).toBeUndefined()
    expect(provider.cardOf).toBeUndefined()
  })

  test('requires identification and shows no test hint for real money', () => {
    expect(provider).toMatchObject({ name: 'bankfile', test: false, onboarding: { needsConsent: true } })
  })
})

describe('adapter of Stripe', async () => {
  const stripe = await recordedStripe(() => NOW)
  afterAll(() => stripe.close())
  const provider = stripeProvider({
    ...{ secretKey: 'sk_test_recorded', publishableKey: 'pk_test_recorded', webhookSecrets: ['whsec_recorded'] },
    ...{ apiUrl: stripe.url, jsUrl: 'https://js.stripe.com/v3/', test: true },
  })
  beforeEach(() => {
    stripe.forget()
    stripe.requests.length = 0
  })
  const sent = (route: string) =>
    stripe.requests.filter((request) => request.route === route).map(({ body }) => new URLSearchParams(body))
  const INTENTS = 'POST /v1/payment_intents'
  const CONFIRM = 'POST /v1/payment_intents/{intent}/confirm'

  test('creates a charge once per key, less the portal’s fee', async () => {
    const card = intentRequest({ method: 'card' })
    const first = await provider.createIntent('acct_1', card, 'key-1')
    expect((await provider.createIntent('acct_1', card, 'key-1')).id).toBe(first.id)
    const [params] = sent(INTENTS)
    expect(Object.fromEntries(params ?? [])).toMatchObject({
      ...{ amount: '10305', application_fee_amount: '305', 'transfer_data[destination]': 'acct_1' },
      'metadata[company_id]': '7',
    })
    expect(params?.has('statement_descriptor_suffix')).toBe(false)
    expect(params?.has('setup_future_usage')).toBe(false)
  })

  test('charges a fee off-session with the bill’s payment method for the portal', async () => {
    const request = { method: 'card', amountCents: 100_00, feeCents: 0, statement: 'MAPLE GROVE', again: true } as const
    const bill = await provider.createIntent('acct_1', intentRequest(request), 'bill')
    await provider.confirmIntent('acct_1', bill.id, { token: 'pm_card_visa' }, '', 'bill/confirm')
    const own = { method: 'card', amountCents: 3_05, feeCents: 3_05, statement: 'SERVICE FEE', after: bill.id } as const
    const fee = await provider.createIntent('acct_1', intentRequest(own), 'fee')
    const response = await provider.confirmIntent('acct_1', fee.id, { sameAs: bill.id }, '', 'fee/confirm')
    expect(response).toMatchObject({ status: 'succeeded', amountCents: 3_05 })
    const [first, second] = sent(INTENTS)
    expect(first?.get('setup_future_usage')).toBe('off_session')
    expect(first?.get('statement_descriptor_suffix')).toBe('MAPLE GROVE')
    expect(second?.get('statement_descriptor_suffix')).toBe('SERVICE FEE')
    expect(second?.get('application_fee_amount')).toBe('305')
    expect(first?.get('customer')).toMatch(/^cus_/)
    expect(second?.get('customer')).toBe(first?.get('customer'))
    const [, confirmed] = sent(CONFIRM)
    expect(confirmed?.get('off_session')).toBe('true')
    const storedMethod = confirmed?.get('payment_method') ?? ''
    expect(storedMethod).not.toBe('pm_card_visa')
    expect(await provider.stored?.list('acct_1', first?.get('customer') ?? ''), 'what is kept').toEqual([])
  })

  test('reads a charge again after confirmation, because the answer may be old', async () => {
    const { id } = await provider.createIntent('acct_1', intentRequest({ method: 'card' }), 'key-1')
    await provider.confirmIntent('acct_1', id, { token: 'pm_card_visa' }, '', 'key-2')
    const refund = await provider.createRefund('acct_1', id, { amountCents: 5_00, line: null, reason: '' }, 'key-3')
    expect(refund.status).toBe('succeeded')
    const again = await provider.confirmIntent('acct_1', id, { token: 'pm_card_visa' }, '', 'key-2')
    expect(again).toMatchObject({ status: 'succeeded', refundedCents: 5_00 })
  })

  test('refunds the portal’s fee in proportion, the rest from the company’s account', async () => {
    const { id } = await provider.createIntent('acct_1', intentRequest({ method: 'card' }), 'key-1')
    await provider.confirmIntent('acct_1', id, { token: 'pm_card_visa' }, '', 'key-2')
    await provider.createRefund('acct_1', id, { amountCents: 5_00, line: 1, reason: 'Half' }, 'key-3')
    const [params] = sent('POST /v1/refunds')
    expect(params?.get('refund_application_fee')).toBe('true')
    expect(params?.get('reverse_transfer')).toBe('true')
  })

  test('returns the card of a token', async () => {
    expect(await provider.cardOf?.('acct_1', 'pm_card_visa')).toEqual({ brand: 'visa', funding: null })
  })

  test('reports a return with its ACH code', async () => {
    const { id } = await provider.createIntent('acct_1', intentRequest(), 'key-1')
    await provider.confirmIntent('acct_1', id, { token: 'pm_usBankAccount_dispute' }, '', 'key-2')
    stripe.world.model.advance(0)
    stripe.world.model.advance(0)
    expect(await provider.getIntent('acct_1', id)).toMatchObject({ status: 'returned', returnCode: 'R10' })
  })
})
