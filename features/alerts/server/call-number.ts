import { type Call, implement, signedIn } from '../../../server/call.ts'
import {
  startPhoneConfirmation,
  confirmPhone,
  forgetPhone,
  phoneKeyOf,
  phoneOf,
} from '../../../server/confirmed-phones.ts'
import { conflict } from '../../../server/errors.ts'
import { countFailures, countAttempt, defineLimit } from '../../../server/limits.ts'
import { readSmsSettings, textName, toE164 } from '../../../server/sms/settings.ts'
import { phrases } from '../../../server/voice/phrases.ts'
import { queueCalls } from '../../../server/voice/queue.ts'
import { callerOf, offersCalls } from '../../../server/voice/settings.ts'
import { hasOptedOut } from '../../../server/voice/opt-outs.ts'
import { digitByDigit } from '../../../server/voice/texts.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { startCalls, callsConsent, confirmCalls, myCalls, optOutOfCalls } from '../contract-calls.ts'

const TABLE = 'voice_number'
const CODE_INVALID = 'This is not the code from our last call. Check the code, or request another call.'

/** Rate limits of verification calls, because a person can enter any phone number. */
const perPerson = defineLimit('calls-code-person', { max: 4, minutes: 60 })
const perPhone = defineLimit('calls-code-phone', { max: 3, minutes: 60 })
/** Limits guesses of a code. Codes have six digits, and each call has a new code. */
const perCode = defineLimit('calls-code', { max: 5, after: 'pause' })

const phoneText = (phone: string): string => formatPhone(nationalDigits(phone))

const myCallsCall = implement(myCalls, (call) => {
  const { context, company } = call
  return call.reading(async (tx) => {
    const settings = await readSmsSettings(tx, company.id)
    const existing = await phoneOf(tx, call, TABLE)
    const { mobile_no } = await tx
      .selectFrom('person')
      .select('mobile_no')
      .where('company_id', '=', company.id)
      .where('id', '=', signedIn(call).personId)
      .executeTakeFirstOrThrow()
    return {
      offered: offersCalls(context.config, settings),
      state: existing ? (existing.confirmed_at ? ('on' as const) : ('unconfirmed' as const)) : ('off' as const),
      phone: existing ? phoneText(existing.phone) : '',
      optedOut: existing !== undefined && (await hasOptedOut(tx, existing)),
      from: phoneText(callerOf(context.config, settings)),
      profilePhone: mobile_no,
      consent: callsConsent(company.name),
    }
  })
})

const startCallsCall = implement(startCalls, async (call) => {
  const { context, company, body } = call
  const phone = toE164(body.phone)
  await call.reading(async (tx) => {
    if (!offersCalls(context.config, await readSmsSettings(tx, company.id)))
      throw conflict('no_calls', say`${company.name} does not offer alerts by phone call yet.`)
  })
  await countAttempt(context, [perPerson(phoneKeyOf(call)), perPhone(phone)])
  await call.inCompany(async (tx) => {
    const settings = await readSmsSettings(tx, company.id)
    if (await hasOptedOut(tx, { company_id: company.id, phone })) throw conflict('opted_out', optedOutMessage(call))
    const { code } = await startPhoneConfirmation(tx, call, TABLE, { phone, agreedTo: callsConsent(company.name) })
    const language = await languageOf(tx, call)
    const text = phrases[language].code(textName(company, settings), digitByDigit(code))
    const called = { person: signedIn(call).personId, phone, content: [{ language, text }] }
    await queueCalls(tx, context, { company, event: 'calls.code', kind: 'account' }, [called], settings)
  })
  return {
    success: true as const,
    message: say`We are calling ${phoneText(phone)}. You will hear a six-digit code.`,
  }
})

/** Returns the language of the person's alerts. */
async function languageOf(tx: Tx, call: Call): Promise<'en' | 'es'> {
  const row = await tx
    .selectFrom('alert_reader')
    .select('language')
    .where('company_id', '=', call.company.id)
    .where('person_id', '=', signedIn(call).personId)
    .executeTakeFirst()
  return row?.language ?? 'en'
}

const optedOutMessage = ({ company }: Call) =>
  say`Someone pressed 9 during a call to this phone, so ${company.name} will not call it again. Enter another number.`

const confirmCallsCall = implement(confirmCalls, async (call) => {
  const { context, body } = call
  await countFailures(context, [perCode(phoneKeyOf(call))], () =>
    call.inCompany(async (tx) => {
      await confirmPhone(tx, call, TABLE, { code: body.code, invalidCode: CODE_INVALID })
      await call.audit(tx, { action: 'calls.on', subject: { kind: 'person', id: signedIn(call).personId } })
    }),
  )
  return { success: true as const, message: 'Alert calls are now on.' }
})

/** A person can opt out of calls without proving that the number is theirs. The opt-out also cancels waiting calls. */
const optOutOfCallsCall = implement(optOutOfCalls, async (call) => {
  await call.inCompany(async (tx) => {
    if (await forgetPhone(tx, call, TABLE))
      await call.audit(tx, { action: 'calls.off', subject: { kind: 'person', id: signedIn(call).personId } })
  })
  return { success: true as const, message: 'Alert calls are now off.' }
})

export const callNumberCalls = [myCallsCall, startCallsCall, confirmCallsCall, optOutOfCallsCall]
