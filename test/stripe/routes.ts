import { randomUUID } from 'node:crypto'
import { type PaymentSource, ProviderRefused, type Refund } from '../../features/payments/server/providers/provider.ts'
import * as shapes from './shapes.ts'
import { type StripeHandler, type StripeRequest, missing, StripeFault } from './stripe-fault.ts'
import { terminalRoutes } from './terminal.ts'
import { declines } from './typed.ts'
import type { StoredStripeMethod, StripeSetup, StripeWorld } from './world.ts'

const refused = (message: string) =>
  new StripeFault(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message })
const declined = (code: string, message = 'Your card was declined.') =>
  new StripeFault(402, { type: 'card_error', code, message })

function mustExist<T>(what: T | null | undefined, name: string): T {
  if (what === null || what === undefined) throw missing(name)
  return what
}

/** Runs a model call and converts the model's refusal to a Stripe error. */
async function byModel<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProviderRefused) throw refused(error.message)
    throw error
  }
}

/** Returns a page of a newest-first list, by Stripe's cursors. */
function page<T extends { id: string }>(
  newestFirst: readonly T[],
  { limit = 10, starting_after, ending_before }: StripeRequest['params'],
) {
  const cursor = starting_after ?? ending_before
  const at = newestFirst.findIndex(({ id }) => id === cursor)
  if (cursor !== undefined && at < 0) throw missing('object')
  const max = Number(limit)
  if (ending_before === undefined) {
    const rest = newestFirst.slice(at + 1)
    return shapes.list(rest.slice(0, max), rest.length > max)
  }
  return shapes.list(newestFirst.slice(Math.max(0, at - max), at), at > max)
}

/** Builds Stripe's objects only for the requested page. */
const rendered = ({ data, ...list }: ReturnType<typeof shapes.list>) => ({
  ...list,
  data: (data as { shape: () => object }[]).map(({ shape }) => shape()),
})

const routes: Record<string, StripeHandler> = {
  'POST /v1/accounts': ({ world, params }) => {
    const id = `acct_${randomUUID().replaceAll('-', '').slice(0, 16)}`
    const made = {
      ...{ id, reference: params.metadata.reference, submitted: world.isReadyAtOnce },
      due: world.isReadyAtOnce ? [] : ['company.tax_id'],
      ...{ pending: [], deadline: null, disabled: null },
    }
    world.accounts.set(id, made)
    return shapes.account(made)
  },
  'GET /v1/accounts/{account}': ({ world, id }) => shapes.account(mustExist(world.accounts.get(id), 'account')),
  'POST /v1/account_links': ({ world, params }) => {
    mustExist(world.accounts.get(params.account), 'account')
    return { object: 'account_link', url: `https://connect.stripe.test/setup/${params.account}` }
  },
  'GET /v1/customers': ({ world, params }) =>
    page([...world.customers.values()].filter(({ email }) => email === params.email).toReversed(), params),
  'POST /v1/customers': ({ world, params }) => {
    const made = { id: `cus_${randomUUID()}`, object: 'customer', ...params }
    world.customers.set(made.id, made)
    return made
  },
  'GET /v1/customers/{customer}/payment_methods': ({ world, id, params }) =>
    page([...world.methods.values()].filter(({ customer }) => customer === id).map(shapes.paymentMethod), params),
  'POST /v1/payment_intents': createIntent,
  'GET /v1/payment_intents/{intent}': ({ world, id }) => mustExist(shapes.intent(world, id), 'payment_intent'),
  'POST /v1/payment_intents/{intent}/confirm': confirmIntent,
  'POST /v1/payment_intents/{intent}/cancel': async ({ world, id, key }) => {
    if (world.model.charges.get(id)?.intent.status === 'canceled') throw refused('it was cancelled')
    await byModel(() => world.model.cancelIntent('', id, key))
    world.unverified.delete(id)
    return shapes.intent(world, id)
  },
  'POST /v1/setup_intents': setUp,
  'GET /v1/setup_intents/{intent}': ({ world, id }) =>
    shapes.setup(world, mustExist(world.setups.get(id), 'setup_intent')),
  'GET /v1/payment_methods/{payment_method}': ({ world, id }) =>
    shapes.paymentMethod(world.methods.get(id) ?? { id, type: 'card', customer: null, ...world.typed.get(id) }),
  'POST /v1/payment_methods/{payment_method}/detach': async ({ world, id }) => {
    const stored = mustExist(world.methods.get(id), 'payment_method')
    if (stored.customer === null) throw refused('it is attached to nobody')
    await world.model.stored.remove('', id, '')
    stored.customer = null
    return shapes.paymentMethod(stored)
  },
  'GET /v1/refunds': ({ world, params }) => page(shapes.refundsOf(world, params.payment_intent).toReversed(), params),
  'POST /v1/refunds': createRefund,
  'GET /v1/refunds/{refund}': ({ world, id }) => shapes.refund(world, mustExist(world.model.refunds.get(id), 'refund')),
  'GET /v1/disputes': ({ world, params }) => page(shapes.disputesOf(world, params.payment_intent), params),
  'GET /v1/disputes/{dispute}': ({ world, id }) => shapes.dispute(mustExist(world.model.disputes.get(id), 'dispute')),
  'POST /v1/disputes/{dispute}': ({ world, id, params }) => {
    const dispute = mustExist(world.model.disputes.get(id), 'dispute')
    world.evidence.set(id, { ...params.evidence, submit: params.submit })
    dispute.status = 'under_review'
    return shapes.dispute(dispute)
  },
  'GET /v1/payouts': ({ world, account, params }) =>
    page(
      world.payouts
        .filter((one) => one.account === account)
        .map(shapes.payout)
        .toReversed(),
      params,
    ),
  'GET /v1/balance_transactions': balanceLines,
  ...terminalRoutes,
}

async function createIntent({ world, params, key }: StripeRequest) {
  const { amount, application_fee_amount: fee = 0, metadata, transfer_data, payment_method_types, customer } = params
  const made = await byModel(() =>
    world.model.createIntent(
      transfer_data.destination,
      {
        ...{ amountCents: Number(amount), feeCents: Number(fee), method: 'card', description: '' },
        companyId: Number(metadata.company_id),
      },
      key,
    ),
  )
  world.metadata.set(made.id, metadata)
  const details = {
    ...{ account: transfer_data.destination, method: payment_method_types[0], customer: customer ?? null },
    ...{ again: params.setup_future_usage === 'off_session', paidBy: null, by: null, returnUrl: '' },
  }
  world.made.set(made.id, { fee: Number(fee), ...details })
  return shapes.intent(world, made.id)
}

/**
 * Marks a payment method typed into the fields as used and returns it. Null if the method was not typed into the
 * fields.
 */
function useTyped(world: StripeWorld, method: string) {
  const typed = world.typed.get(method) ?? null
  if (typed?.isUsed) throw refused('The provided PaymentMethod was used before without being attached to a Customer.')
  if (typed) typed.isUsed = true
  return typed
}

async function confirmIntent({ world, id, params, key }: StripeRequest) {
  const { payment_method: method, off_session: away } = params
  const made = mustExist(world.made.get(id), 'payment_intent')
  const stored = world.methods.get(method)
  const typed = useTyped(world, method)
  if (stored && stored.customer !== made.customer) throw refused('it belongs to another customer')
  const scenario = world.scenarioOf(method)
  const source: PaymentSource =
    scenario !== undefined
      ? { token: world.model.token(scenario) }
      : method.startsWith('pm_')
        ? { stored: method, ...(away === undefined && { present: true }) }
        : { token: method }
  const before = world.model.charges.get(id)?.intent.status
  if (before !== 'requires_confirmation') throw refused(`it is ${before}`)
  if (made.method === 'us_bank_account' && 'token' in source && !params.mandate_data)
    throw refused('a debit needs a mandate')
  const after = await byModel(() => world.model.confirmIntent('', id, source, params.return_url ?? '', key))
  Object.assign(made, { by: method, returnUrl: params.return_url ?? '' })
  if (world.needsDeposits(method)) world.unverified.add(id)
  if (typed?.disputed && after.status === 'succeeded') world.model.disputeOf(id)
  // A reusable method now belongs to the customer. A single-use method cannot be used again.
  const again = world.model.paysAgain(id)
  if (made.again && again !== undefined)
    made.paidBy = world.keep(again, made.method as StoredStripeMethod['type'], made.customer ?? '')
  else if (stored) made.paidBy = method
  if (after.status === 'failed') {
    const error = typed?.decline && { code: typed.decline, message: declines[typed.decline] }
    Object.assign(world.model.charges.get(id)?.intent ?? {}, error && { error })
    throw declined(error?.code ?? after.error?.code ?? 'card_declined', error?.message)
  }
  return shapes.intent(world, id)
}

function setUp({ world, params }: StripeRequest) {
  const { payment_method: method, customer, payment_method_types } = params
  const scenario = world.scenarioOf(method)
  const typed = useTyped(world, method)
  if (scenario === undefined || scenario === 'declined')
    throw declined(typed?.decline ?? 'card_declined', typed?.decline && declines[typed.decline])
  const type = payment_method_types[0] as StoredStripeMethod['type']
  const about = { by: method, returnUrl: params.return_url ?? '', error: null }
  const made: StripeSetup = { id: `seti_${randomUUID()}`, customer, scenario, type, method: null, ...about }
  if (world.needsDeposits(method)) world.unverified.add(made.id)
  else if (scenario !== 'challenge') made.method = world.keep(scenario, type, customer, typed?.last4)
  world.setups.set(made.id, made)
  return shapes.setup(world, made)
}

async function createRefund({ world, params, key }: StripeRequest) {
  const { payment_intent: of, amount, metadata = {} } = params
  const charge = mustExist(world.model.charges.get(of), 'payment_intent')
  if (metadata.kind === 'void') {
    await byModel(() => world.model.voidIntent('', of, key))
    return shapes.voidOf(world, of, charge.intent.amountCents)
  }
  const line = metadata.line === undefined ? null : Number(metadata.line)
  const input = { amountCents: Number(amount), line, reason: metadata.reason ?? '' }
  const made: Refund = await byModel(() => world.model.createRefund('', of, input, key))
  world.metadata.set(made.id, metadata)
  return shapes.refund(world, made)
}

function balanceLines({ world, account, params }: StripeRequest) {
  if (account !== '') {
    const paidOut = mustExist(
      world.payouts.find(({ id }) => id === params.payout),
      'payout',
    )
    const itself = {
      id: `txn_${paidOut.id}`,
      type: 'payout',
      amount: -shapes.payout(paidOut).amount,
      fee: 0,
      source: null,
    }
    const made = paidOut.lines.map((line) => ({ id: shapes.lineId(line), shape: () => shapes.payoutLine(world, line) }))
    return rendered(page([{ id: itself.id, shape: (): object => itself }, ...made.toReversed()], params))
  }
  const lines = world.model.movements
    .filter(({ amountCents }) => amountCents !== 0)
    .flatMap((movement) => [
      { id: movement.id, shape: (): object => shapes.balanceLine(world, movement) },
      ...(movement.movementType === 'capture'
        ? [{ id: shapes.transferId(movement), shape: (): object => shapes.transferLine(world, movement) }]
        : []),
    ])
  return rendered(page(lines.toReversed(), params))
}

const table = Object.entries(routes).map(([name, response]) => {
  const [method = '', path = ''] = name.split(' ')
  return { name, method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`), response }
})

/** Returns the route of a request and the id in its path. */
export function routeOf(method: string, path: string) {
  for (const { name, method: its, pattern, response } of table) {
    const match = its === method ? pattern.exec(path) : null
    if (match) return { name, response, id: decodeURIComponent(match[1] ?? '') }
  }
  return null
}
