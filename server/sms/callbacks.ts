import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeRow } from '../db/rows.ts'
import { originOf } from '../config.ts'
import { notAllowed, notFound } from '../errors.ts'
import { escapeHtml } from '../html.ts'
import type { House } from '../house.ts'
import { forgetRefusals } from '../notices/refused-addresses.ts'
import { companyIdFrom } from '../tenancy.ts'
import { takeIncoming } from './incoming.ts'
import { failed } from './send.ts'
import { isSigned } from './signature.ts'

const MOST_BYTES = 64 * 1024
/** Ids are bigint; more digits are none of ours. */
const ID = /^[1-9]\d{0,14}$/

const DELIVERED = ['delivered', 'read']
const FAILED = ['failed', 'undelivered', 'canceled']

/** Where the provider of texts tells what became of one, and what people answered. The sandbox uses the same door as Twilio. */
export function mountSmsCallbacks(app: FastifyInstance, house: House): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<{ Querystring: Record<string, unknown> }>('/webhooks/sms/status', async (request, reply) => {
      const said = signed(house, request)
      const { company, text } = request.query
      if (!ID.test(String(company)) || !ID.test(String(text))) throw notFound()
      await takeStatus(house, Number(company), Number(text), said)
      return reply.code(204).send()
    })
    scope.post('/webhooks/sms/incoming', async (request, reply) => {
      const said = signed(house, request)
      const [providerId, phone, to] = ['MessageSid', 'From', 'To'].map((name) => said.get(name) ?? '')
      // Short codes and numbers of other countries: we texted none of them.
      const answer =
        providerId && /^\+1\d{10}$/.test(phone ?? '')
          ? await takeIncoming(house, {
              providerId: providerId.slice(0, 64),
              phone: phone ?? '',
              to: to ?? '',
              body: (said.get('Body') ?? '').slice(0, 2000),
              told: said.get('OptOutType'),
              requestId: request.id,
            })
          : null
      const message = answer === null ? '' : `<Message>${escapeHtml(answer)}</Message>`
      return reply
        .type('text/xml; charset=utf-8')
        .send(`<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`)
    })
  })
}

/** What was sent, by whoever holds the account's token. @throws 403 */
function signed({ config }: House, request: FastifyRequest): URLSearchParams {
  const said = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  // The address as the provider knows it: a proxy may have called us by another.
  const url = originOf(config, null) + (request.raw.url ?? '')
  if (!isSigned(config.sms.authToken, url, said, request.headers['x-twilio-signature']))
    throw notAllowed('This is not signed by the provider of texts.')
  return said
}

/** Calls come late, twice and out of order: a text only ever goes on, and its end stays. */
async function takeStatus(house: House, companyId: number, id: number, said: URLSearchParams): Promise<void> {
  const sid = said.get('MessageSid') ?? ''
  const status = said.get('MessageStatus') ?? ''
  const company = companyIdFrom('provider-event', companyId)
  await house.inCompany(company, async (tx) => {
    const sms = await tx
      .selectFrom('sms_message')
      .select(['company_id', 'id', 'phone', 'state', 'provider_id'])
      .where('company_id', '=', company)
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'sent', 'unclear'])
      .forUpdate()
      .executeTakeFirst()
    if (!sms || sid === '' || (sms.provider_id !== null && sms.provider_id !== sid)) return
    const write = (result: object) =>
      changeRow(tx, 'sms_message', company, id, { provider_id: sid, held_until: null, reason: '', ...result })
    if (FAILED.includes(status)) await write(await failed(tx, house, sms, said.get('ErrorCode') || status))
    else if (DELIVERED.includes(status)) {
      await write({ state: 'delivered', settled_at: house.clock.now() })
      await forgetRefusals(tx, { company, address: sms.phone })
    } else if (sms.state !== 'sent') await write({ state: 'sent', settled_at: null })
  })
}
