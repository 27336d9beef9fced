import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Intent,
  type PaymentSource,
  ProviderRefused,
  type Refund,
} from '../features/payments/server/providers/provider.ts'
import { ProviderModel } from './provider-model.ts'

/**
 * HTTP server that responds like the sandbox gateway or the bank-file provider, based on a model. For tests that need
 * the adapter and thousands of payments, and that cannot wait for banking days to pass.
 */
export class RecordedGateway {
  #model: ProviderModel
  readonly #server: Server
  readonly #name: string
  url = ''
  /** Requests so far, such as `POST /v1/intents`. */
  readonly requests: { name: string; key: string | undefined; account: string | undefined; body: unknown }[] = []
  /** Status of the next response. The request then has no effect. Null to respond normally. */
  fault: number | null = null

  constructor(name: string) {
    this.#name = name
    this.#model = new ProviderModel(name)
    this.#server = createServer((request, response) => {
      void this.#respond(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      })
    })
  }

  async listen(): Promise<this> {
    await new Promise<void>((done) => void this.#server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  get model(): ProviderModel {
    return this.#model
  }

  /** Replaces the model with a new one without data. */
  forget(): ProviderModel {
    this.#model = new ProviderModel(this.#name)
    return this.#model
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => void this.#server.close(done))
  }

  async #respond(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://gateway.test')
    const [key, account] = ['idempotency-key', 'gateway-account'].map((name) => request.headers[name]?.toString())
    const [, , what = '', id = '', verb = ''] = pathname.split('/')
    const name = `${request.method} /${[what, verb].filter(Boolean).join('/')}`
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- a test's own adapter sends it
    const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : {}
    this.requests.push({ name, key, account, body })
    const status = this.fault
    this.fault = null
    if (status !== null) return { status, body: { error: { message: 'It is planned to fail.' } } }
    if (request.method === 'POST' && key === undefined) return refused('a call that changes something has a key')
    try {
      return {
        status: 200,
        body: await this.#do(name, { id, key: key ?? '', account: account ?? '', body, searchParams }),
      }
    } catch (error) {
      if (error instanceof ProviderRefused) return refused(error.message)
      throw error
    }
  }

  async #do(name: string, { id, key, account, body, searchParams }: RecordedRequest): Promise<unknown> {
    const model = this.#model
    switch (name) {
      case 'POST /accounts':
        return { id: await model.ensureAccount(body.reference) }
      case 'POST /intents': {
        const { amount_cents: amountCents, fee_cents: feeCents, method, description, metadata } = body
        const input = { amountCents, feeCents, method, description, companyId: Number(metadata.company_id) }
        return intentResponse(await model.createIntent(account, input, key))
      }
      case 'POST /intents/confirm':
        return intentResponse(await model.confirmIntent(account, id, sourceOf(body), body.return_url ?? '', key))
      case 'POST /intents/cancel':
        return intentResponse(await model.cancelIntent(account, id, key))
      case 'POST /intents/void':
        return intentResponse(await model.voidIntent(account, id, key))
      case 'GET /intents':
        return intentResponse(await model.getIntent(account, id))
      case 'POST /refunds': {
        const { amount_cents: amountCents, reason, metadata, intent } = body
        const input = { amountCents, reason, line: Number(metadata?.line) || null }
        return refundResponse(await model.createRefund(account, intent, input, key))
      }
      case 'GET /refunds':
        return refundResponse(await model.getRefund(account, id))
      case 'GET /disputes': {
        const { id: dispute, intentId, amountCents, status } = await model.getDispute(account, id)
        return { id: dispute, intent: intentId, amount_cents: amountCents, status }
      }
      case 'GET /balance_transactions': {
        const page = await model.listMovements(searchParams.get('starting_after'), Number(searchParams.get('limit')))
        const data = page.movements.map(
          ({ id: line, movementType, intentId, object, objectId, amountCents, companyId, ...rest }) => ({
            ...{ id: line, type: movementType, account: rest.account, intent: intentId, object, object_id: objectId },
            ...{ amount_cents: amountCents, metadata: { company_id: String(companyId) } },
          }),
        )
        return { data, has_more: page.more }
      }
      default:
        throw new ProviderRefused(`there is no ${name}`)
    }
  }
}

interface RecordedRequest {
  id: string
  key: string
  account: string
  // oxlint-disable-next-line typescript/no-explicit-any -- a test's own adapter sends it
  body: any
  searchParams: URLSearchParams
}

const refused = (message: string) => ({ status: 400, body: { error: { code: 'refused', message } } })

const sourceOf = (body: {
  token?: string
  same_as?: string
  payment_method?: string
  off_session?: boolean
}): PaymentSource =>
  body.token !== undefined
    ? { token: body.token }
    : body.same_as !== undefined
      ? { sameAs: body.same_as }
      : { stored: body.payment_method ?? '', ...(body.off_session === false && { present: true }) }

const intentResponse = (intent: Intent) => ({
  ...{ id: intent.id, status: intent.status, amount_cents: intent.amountCents, refunded_cents: intent.refundedCents },
  ...{ error: intent.error, next_action: intent.actionUrl === null ? null : { url: intent.actionUrl } },
  payment_method: { type: 'card', brand: 'visa', last4: '4242' },
  ...{ return_code: intent.returnCode, metadata: { company_id: String(intent.companyId) } },
})

const refundResponse = ({ id, intentId, amountCents, status, line }: Refund) => ({
  ...{ id, intent: intentId, amount_cents: amountCents, status },
  metadata: line === null ? {} : { line: String(line) },
})
