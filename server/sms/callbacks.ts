import type { FastifyInstance } from 'fastify'
import { changeRow } from '../db/rows.ts'
import { notFound } from '../errors.ts'
import { escapeHtml } from '../html.ts'
import type { AppContext } from '../app-context.ts'
import { forgetRefusals } from '../notices/refused-addresses.ts'
import { companyIdFrom } from '../tenancy.ts'
import { takeIncoming } from './incoming.ts'
import { recordSmsFailure } from './send.ts'
import { mountSigned, numberIn, signedForm } from './signed-calls.ts'

const DELIVERED = ['delivered', 'read']
const FAILED = ['failed', 'undelivered', 'canceled']

/**
 * Mounts the routes for delivery statuses and replies from the text message provider. The sandbox and Twilio use the
 * same routes.
 */
export function mountSmsCallbacks(app: FastifyInstance, context: AppContext): void {
  mountSigned(app, (scope) => {
    scope.post('/webhooks/sms/status', async (request, reply) => {
      const form = signedForm(context, request)
      const [company, text] = [numberIn(request, 'company'), numberIn(request, 'text')]
      if (company === null || text === null) throw notFound()
      await takeStatus(context, company, text, form)
      return reply.code(204).send()
    })
    scope.post('/webhooks/sms/incoming', async (request, reply) => {
      const form = signedForm(context, request)
      const [providerId, phone, to] = ['MessageSid', 'From', 'To'].map((name) => form.get(name) ?? '')
      // Ignores short codes and foreign numbers, because the portal never sends text messages to them.
      const response =
        providerId && /^\+1\d{10}$/.test(phone ?? '')
          ? await takeIncoming(context, {
              providerId: providerId.slice(0, 64),
              phone: phone ?? '',
              to: to ?? '',
              body: (form.get('Body') ?? '').slice(0, 2000),
              optOutType: form.get('OptOutType'),
              requestId: request.id,
            })
          : null
      const message = response === null ? '' : `<Message>${escapeHtml(response)}</Message>`
      return reply
        .type('text/xml; charset=utf-8')
        .send(`<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`)
    })
  })
}

/**
 * Saves a delivery status. Callbacks may arrive late, repeatedly and out of order. So a status never returns to an
 * earlier one, and a final status never changes.
 */
async function takeStatus(context: AppContext, companyId: number, id: number, form: URLSearchParams): Promise<void> {
  const sid = form.get('MessageSid') ?? ''
  const status = form.get('MessageStatus') ?? ''
  const company = companyIdFrom('provider-event', companyId)
  await context.inCompany(company, async (tx) => {
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
    if (FAILED.includes(status)) await write(await recordSmsFailure(tx, context, sms, form.get('ErrorCode') || status))
    else if (DELIVERED.includes(status)) {
      await write({ state: 'delivered', finished_at: context.clock.now() })
      await forgetRefusals(tx, { company, address: sms.phone })
    } else if (sms.state !== 'sent') await write({ state: 'sent', finished_at: null })
  })
}
