import type { FastifyInstance } from 'fastify'
import { auditCompanyOrPlatform } from '../audit.ts'
import { changeRow } from '../db/rows.ts'
import { notFound } from '../errors.ts'
import type { AppContext } from '../app-context.ts'
import { mountSigned, numberIn, signedForm } from '../sms/signed-calls.ts'
import { readSmsSettings, textName } from '../sms/settings.ts'
import { companyIdFrom } from '../tenancy.ts'
import { twimlOfCall } from './calls.ts'
import { PRESSED_9, applyReport } from './status.ts'
import { addVoiceOptOut } from './opt-outs.ts'
import { goodbye, hangUp } from './twiml.ts'

/** Mounts the callbacks for call results and pressed keys. The sandbox uses the same routes as Twilio. */
export function mountVoiceCallbacks(app: FastifyInstance, context: AppContext): void {
  mountSigned(app, (scope) => {
    scope.post('/webhooks/calls/status', async (request, reply) => {
      const form = signedForm(context, request)
      const [number, id, tried] = [numberIn(request, 'company'), numberIn(request, 'call'), numberIn(request, 'try')]
      if (number === null || id === null || tried === null) throw notFound()
      const company = companyIdFrom('provider-event', number)
      const report = {
        id: (form.get('CallSid') ?? '').slice(0, 64),
        status: form.get('CallStatus') ?? '',
        answeredBy: form.get('AnsweredBy') ?? '',
        seconds: secondsIn(form.get('CallDuration')),
        code: (form.get('ErrorCode') || form.get('SipResponseCode') || '').slice(0, 16),
      }
      await context.inCompany(company, (tx) => applyReport(tx, context, company, { id, tried }, report))
      return reply.code(204).send()
    })
    scope.post('/webhooks/calls/keys', async (request, reply) => {
      const form = signedForm(context, request)
      const [company, id] = [numberIn(request, 'company'), numberIn(request, 'call')]
      if (company === null || id === null) throw notFound()
      const response = await handleKey(context, { company, id, key: form.get('Digits') ?? '', requestId: request.id })
      return reply.type('text/xml; charset=utf-8').send(response)
    })
  })
}

const secondsIn = (value: string | null): number => (/^\d{1,6}$/.test(value ?? '') ? Number(value) : 0)

interface KeyPress {
  company: number
  id: number
  key: string
  requestId: string
}

/**
 * Handles a pressed key: 1 repeats the message, 9 stops all future calls. @returns the TwiML that the call speaks next
 */
async function handleKey(context: AppContext, { company: number, id, key, requestId }: KeyPress): Promise<string> {
  const company = companyIdFrom('provider-event', number)
  return context.inCompany(company, async (tx) => {
    const companyDetails = await context.hosts.byId(company, tx)
    const call = await tx
      .selectFrom('voice_call')
      .selectAll()
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!companyDetails || !call) throw notFound()
    const name = textName(companyDetails, await readSmsSettings(tx, company))
    if (key === '1') return twimlOfCall(context, call, name).twiml
    if (key !== '9') return hangUp
    if (await addVoiceOptOut(tx, call, context.clock.now())) {
      const by = { session: null, requestId }
      await auditCompanyOrPlatform(tx, context.clock, company, by, {
        action: 'calls.opted_out',
        detail: { to: call.phone },
      })
      await changeRow(tx, 'voice_call', company, id, { reason: PRESSED_9 })
    }
    return goodbye(call.content, name)
  })
}
