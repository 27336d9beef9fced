import type { FastifyInstance, FastifyRequest } from 'fastify'
import { originOf } from '../../../server/config.ts'
import { notFound } from '../../../server/errors.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { mountSigned, numberIn, signedForm } from '../../../server/sms/signed-calls.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { hangUp, type Line, advanceCall } from './advance-call.ts'
import { twimlOf } from './twiml.ts'

const ENDED_STATUSES = ['completed', 'busy', 'failed', 'no-answer', 'canceled']

export const voiceUrl = (context: AppContext, company: number, stepNo?: number): string =>
  `${originOf(context.config, null)}/webhooks/voice?company=${company}${stepNo === undefined ? '' : `&stepNo=${stepNo}`}`
export const statusUrl = (context: AppContext, company: number): string =>
  `${originOf(context.config, null)}/webhooks/voice/status?company=${company}`

type Query = Record<string, unknown>

/** Mounts the Twilio webhooks. One returns the next message of a call, the other handles the end of a call. */
export function mountVoice(app: FastifyInstance, context: AppContext): void {
  mountSigned(app, (scope) => {
    scope.post<{ Querystring: Query }>('/webhooks/voice', async (request, reply) => {
      const { company, line, params } = await ringing(context, request)
      const stepNo = /^\d{1,4}$/.test(String(request.query['stepNo'])) ? Number(request.query['stepNo']) : 0
      const response = await advanceCall(context, company, line, stepNo, (params.get('Digits') ?? '').slice(0, 40))
      return reply
        .type('text/xml; charset=utf-8')
        .send(twimlOf(response, voiceUrl(context, company.id, response.stepNo)))
    })
    scope.post<{ Querystring: Query }>('/webhooks/voice/status', async (request, reply) => {
      const { company, line, params } = await ringing(context, request)
      if (ENDED_STATUSES.includes(params.get('CallStatus') ?? '')) await hangUp(context, company, line)
      return reply.code(204).send()
    })
  })
}

/**
 * Finds the company of a call and checks the signature with the account's token.
 * @throws 403 or 404
 */
async function ringing(
  context: AppContext,
  request: FastifyRequest<{ Querystring: Query }>,
): Promise<{ company: Company; line: Line; params: URLSearchParams }> {
  const form = signedForm(context, request)
  const id = numberIn(request, 'company')
  const company = id === null ? null : await context.hosts.byId(companyIdFrom('provider-event', id))
  const call = (form.get('CallSid') ?? '').slice(0, 64)
  if (!company || call === '') throw notFound()
  return {
    company,
    params: form,
    line: { voiceProvider: 'twilio', id: call, phone: (form.get('From') ?? '').slice(0, 32) },
  }
}
