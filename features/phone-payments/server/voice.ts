import type { FastifyInstance, FastifyRequest } from 'fastify'
import { originOf } from '../../../server/config.ts'
import { notAllowed, notFound } from '../../../server/errors.ts'
import type { House } from '../../../server/house.ts'
import type { Company } from '../../../server/hosts.ts'
import { isSigned } from '../../../server/sms/signature.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { hangUp, type Line, talk } from './talk.ts'
import { twimlOf } from './twiml.ts'

const MOST_BYTES = 64 * 1024
const ID = /^[1-9]\d{0,9}$/
const OVER = ['completed', 'busy', 'failed', 'no-answer', 'canceled']

export const voiceUrl = (house: House, company: number, turn?: number): string =>
  `${originOf(house.config, null)}/webhooks/voice?company=${company}${turn === undefined ? '' : `&turn=${turn}`}`
export const statusUrl = (house: House, company: number): string =>
  `${originOf(house.config, null)}/webhooks/voice/status?company=${company}`

type Query = Record<string, unknown>

/** Where Twilio asks what to say in a call, and tells that it is over. */
export function mountVoice(app: FastifyInstance, house: House): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    )
    scope.post<{ Querystring: Query }>('/webhooks/voice', async (request, reply) => {
      const { company, line, said } = await ringing(house, request)
      const turn = /^\d{1,4}$/.test(String(request.query['turn'])) ? Number(request.query['turn']) : 0
      const answer = await talk(house, company, line, turn, (said.get('Digits') ?? '').slice(0, 40))
      return reply.type('text/xml; charset=utf-8').send(twimlOf(answer, voiceUrl(house, company.id, answer.turn)))
    })
    scope.post<{ Querystring: Query }>('/webhooks/voice/status', async (request, reply) => {
      const { company, line, said } = await ringing(house, request)
      if (OVER.includes(said.get('CallStatus') ?? '')) await hangUp(house, company, line)
      return reply.code(204).send()
    })
  })
}

/** Whose call it is, as whoever holds the account's token says. @throws 403, 404 */
async function ringing(
  house: House,
  request: FastifyRequest<{ Querystring: Query }>,
): Promise<{ company: Company; line: Line; said: URLSearchParams }> {
  const said = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
  const url = originOf(house.config, null) + (request.raw.url ?? '')
  if (!isSigned(house.config.sms.authToken, url, said, request.headers['x-twilio-signature']))
    throw notAllowed('This is not signed by whoever carries the calls.')
  const { company: id } = request.query
  const company = ID.test(String(id)) ? await house.hosts.byId(companyIdFrom('provider-event', Number(id))) : null
  const call = (said.get('CallSid') ?? '').slice(0, 64)
  if (!company || call === '') throw notFound()
  return { company, said, line: { carrier: 'twilio', id: call, phone: (said.get('From') ?? '').slice(0, 32) } }
}
