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
import { queueSms } from '../../../server/sms/queue.ts'
import { hasOptedOut } from '../../../server/sms/send.ts'
import { readSmsSettings, senderOf, toE164 } from '../../../server/sms/settings.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { startTexts, confirmTexts, myTexts, optOutOfTexts, textsConsent } from '../contract.ts'

const TABLE = 'sms_number'
const CODE_INVALID = 'This is not the code from our last text. Check the text, or request a new code.'

/**
 * Limits on the codes per person and per phone number. Each code costs a text message to a number that the person
 * typed.
 */
const perPerson = defineLimit('texts-code-person', { max: 5, minutes: 60 })
const perPhone = defineLimit('texts-code-phone', { max: 3, minutes: 60 })
/** Limits the guesses for one six-digit code. Each text message has a new code. */
const perCode = defineLimit('texts-code', { max: 5, after: 'pause' })

export const myTextsCall = implement(myTexts, (call) => {
  const { context, company } = call
  return call.reading(async (tx) => {
    const number = await phoneOf(tx, call, TABLE)
    const from = senderOf(context.config, await readSmsSettings(tx, company.id))
    return {
      offered: context.config.sms.offered,
      state: number ? (number.confirmed_at ? ('on' as const) : ('unconfirmed' as const)) : ('off' as const),
      phone: number ? formatPhone(nationalDigits(number.phone)) : '',
      optedOut: number !== undefined && (await hasOptedOut(tx, number)),
      from: from.startsWith('+') ? formatPhone(nationalDigits(from)) : '',
      consent: textsConsent(company.name),
    }
  })
})

export const startTextsCall = implement(startTexts, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  if (!context.config.sms.offered) throw conflict('no_texts', say`${company.name} does not send texts yet.`)
  const phone = toE164(body.phone)
  await countAttempt(context, [perPerson(phoneKeyOf(call)), perPhone(phone)])
  await call.inCompany(async (tx) => {
    const settings = await readSmsSettings(tx, company.id)
    if (await hasOptedOut(tx, { company_id: company.id, phone })) throw conflict('opted_out', optedOutMessage(call))
    const { code, minutes } = await startPhoneConfirmation(tx, call, TABLE, {
      phone,
      agreedTo: textsConsent(company.name),
    })
    const text = say`your code is ${code}. It is valid for ${minutes} minutes. Reply STOP to end, HELP for help.`
    const sms = { company, person: personId, phone, event: 'texts.code', kind: 'account' as const, body: text }
    await queueSms(tx, context, sms, settings)
  })
  return { success: true as const, message: say`We sent a code to ${formatPhone(nationalDigits(phone))}.` }
})

const optedOutMessage = ({ company }: Call) =>
  say`This phone replied STOP, so ${company.name} cannot send texts to it. Text START to the number that sent the texts, then try again.`

export const confirmTextsCall = implement(confirmTexts, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  await countFailures(context, [perCode(phoneKeyOf(call))], () =>
    call.inCompany(async (tx) => {
      const phone = await confirmPhone(tx, call, TABLE, { code: body.code, invalidCode: CODE_INVALID })
      const text = say`texts about your payments and requests are on. Message frequency varies. Msg & data rates may apply. Reply STOP to end, HELP for help.`
      const sms = { company, person: personId, phone, event: 'texts.welcome', body: text }
      await queueSms(tx, context, { ...sms, kind: 'account' }, await readSmsSettings(tx, company.id))
      await call.audit(tx, { action: 'texts.on', subject: { kind: 'person', id: personId } })
    }),
  )
  return { success: true as const, message: 'Texts are on.' }
})

/** Turns off text messages without another verification, and deletes pending messages. */
export const optOutOfTextsCall = implement(optOutOfTexts, async (call) => {
  const { personId } = signedIn(call)
  await call.inCompany(async (tx) => {
    if (await forgetPhone(tx, call, TABLE))
      await call.audit(tx, { action: 'texts.off', subject: { kind: 'person', id: personId } })
  })
  return { success: true as const, message: 'Texts are off.' }
})
