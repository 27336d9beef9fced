import type { FastifyInstance } from 'fastify'
import { auditCompanyOrPlatform } from '../audit.ts'
import { changeRow } from '../db/rows.ts'
import { notFound } from '../errors.ts'
import type { AppContext } from '../app-context.ts'
import { mountSigned, numberIn, signedForm } from '../sms/signed-calls.ts'
import { readSmsSettings, textName } from '../sms/settings.ts'
import { companyIdFrom } from '../tenancy.ts'
import { twimlOfCall } from './calls.ts'
import { PRESSED_9, takeNews } from './status.ts'
import { addVoiceStop } from './stops.ts'
import { goodbye, hangUp } from './twiml.ts'

/** Where the provider tells what became of a call, and which key was pressed in it. The sandbox uses the same door as Twilio. */
export function mountVoiceCallbacks(app: FastifyInstance, context: AppContext): void {
  mountSigned(app, (scope) => {
    scope.post('/webhooks/calls/status', async (request, reply) => {
      const said = signedForm(context, request)
      const [number, id, tried] = [numberIn(request, 'company'), numberIn(request, 'call'), numberIn(request, 'try')]
      if (number === null || id === null || tried === null) throw notFound()
      const company = companyIdFrom('provider-event', number)
      const news = {
        id: (said.get('CallSid') ?? '').slice(0, 64),
        status: said.get('CallStatus') ?? '',
        answeredBy: said.get('AnsweredBy') ?? '',
        seconds: secondsIn(said.get('CallDuration')),
        code: (said.get('ErrorCode') || said.get('SipResponseCode') || '').slice(0, 16),
      }
      await context.inCompany(company, (tx) => takeNews(tx, context, company, { id, tried }, news))
      return reply.code(204).send()
    })
    scope.post('/webhooks/calls/keys', async (request, reply) => {
      const said = signedForm(context, request)
      const [company, id] = [numberIn(request, 'company'), numberIn(request, 'call')]
      if (company === null || id === null) throw notFound()
      const answer = await pressed(context, { company, id, key: said.get('Digits') ?? '', requestId: request.id })
      return reply.type('text/xml; charset=utf-8').send(answer)
    })
  })
}

const secondsIn = (given: string | null): number => (/^\d{1,6}$/.test(given ?? '') ? Number(given) : 0)

interface KeyPress {
  company: number
  id: number
  key: string
  requestId: string
}

/** 1: the words once more; 9: no more calls, for good. @returns what is said now */
async function pressed(context: AppContext, { company: number, id, key, requestId }: KeyPress): Promise<string> {
  const company = companyIdFrom('provider-event', number)
  return context.inCompany(company, async (tx) => {
    const town = await context.hosts.byId(company, tx)
    const call = await tx
      .selectFrom('voice_call')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!town || !call) throw notFound()
    const name = textName(town, await readSmsSettings(tx, company))
    if (key === '1') return twimlOfCall(context, call, name).twiml
    if (key !== '9') return hangUp
    if (await addVoiceStop(tx, call, context.clock.now())) {
      const by = { session: null, requestId }
      await auditCompanyOrPlatform(tx, context.clock, company, by, {
        action: 'calls.stopped',
        detail: { to: call.phone },
      })
      await changeRow(tx, 'voice_call', company, id, { reason: PRESSED_9 })
    }
    return goodbye(call.words, name)
  })
}
