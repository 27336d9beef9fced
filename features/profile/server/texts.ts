import { type Call, implement, signedIn } from '../../../server/call.ts'
import { beginPhone, confirmPhone, forgetPhone, phoneKeyOf, phoneOf } from '../../../server/confirmed-phones.ts'
import { conflict } from '../../../server/errors.ts'
import { countFailures, countTry, defineLimit } from '../../../server/limits.ts'
import { queueSms } from '../../../server/sms/queue.ts'
import { hasSaidStop } from '../../../server/sms/send.ts'
import { readSmsSettings, senderOf, toE164 } from '../../../server/sms/settings.ts'
import { formatPhone, nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/words.ts'
import { beginTexts, confirmTexts, myTexts, stopTexts, textsConsent } from '../contract.ts'

const TABLE = 'sms_number'
const CODE_WRONG = 'This is not the code of our last text. Look at the text again, or ask for another one.'

/** Each of these costs a text to a number that somebody typed. */
const perPerson = defineLimit('texts-code-person', { most: 5, minutes: 60 })
const perPhone = defineLimit('texts-code-phone', { most: 3, minutes: 60 })
/** Codes that may be tried: of a million, and each text has another one. */
const perCode = defineLimit('texts-code', { most: 5, after: 'pause' })

export const myTextsCall = implement(myTexts, (call) => {
  const { context, company } = call
  return call.reading(async (tx) => {
    const number = await phoneOf(tx, call, TABLE)
    const from = senderOf(context.config, await readSmsSettings(tx, company.id))
    return {
      offered: context.config.sms.offered,
      state: number ? (number.confirmed_at ? ('on' as const) : ('unconfirmed' as const)) : ('off' as const),
      phone: number ? formatPhone(nationalDigits(number.phone)) : '',
      stopped: number !== undefined && (await hasSaidStop(tx, number)),
      from: from.startsWith('+') ? formatPhone(nationalDigits(from)) : '',
      consent: textsConsent(company.name),
    }
  })
})

export const beginTextsCall = implement(beginTexts, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  if (!context.config.sms.offered) throw conflict('no_texts', say`${company.name} sends no texts yet.`)
  const phone = toE164(body.phone)
  await countTry(context, [perPerson(phoneKeyOf(call)), perPhone(phone)])
  await call.inCompany(async (tx) => {
    const settings = await readSmsSettings(tx, company.id)
    if (await hasSaidStop(tx, { company_id: company.id, phone })) throw conflict('stopped', stoppedSentence(call))
    const { code, minutes } = await beginPhone(tx, call, TABLE, { phone, agreedTo: textsConsent(company.name) })
    const words = say`your code is ${code}. It is good for ${minutes} minutes. Reply STOP to end, HELP for help.`
    const sms = { company, person: personId, phone, event: 'texts.code', kind: 'account' as const, words }
    await queueSms(tx, context, sms, settings)
  })
  return { success: true as const, message: say`We have sent a code to ${formatPhone(nationalDigits(phone))}.` }
})

const stoppedSentence = ({ company }: Call) =>
  say`This phone answered STOP, so ${company.name} may not text it. Text START to the number that the texts came from, and try again.`

export const confirmTextsCall = implement(confirmTexts, async (call) => {
  const { context, company, body } = call
  const { personId } = signedIn(call)
  await countFailures(context, [perCode(phoneKeyOf(call))], () =>
    call.inCompany(async (tx) => {
      const phone = await confirmPhone(tx, call, TABLE, { code: body.code, wrong: CODE_WRONG })
      const words = say`texts about your payments and requests are on. How many there are varies. Msg & data rates may apply. Reply STOP to end, HELP for help.`
      const sms = { company, person: personId, phone, event: 'texts.welcome', words }
      await queueSms(tx, context, { ...sms, kind: 'account' }, await readSmsSettings(tx, company.id))
      await call.audit(tx, { action: 'texts.on', subject: { kind: 'person', id: personId } })
    }),
  )
  return { success: true as const, message: 'Texts are on.' }
})

/** Turning them off needs no proof, and what waits is not sent either. */
export const stopTextsCall = implement(stopTexts, async (call) => {
  const { personId } = signedIn(call)
  await call.inCompany(async (tx) => {
    if (await forgetPhone(tx, call, TABLE))
      await call.audit(tx, { action: 'texts.off', subject: { kind: 'person', id: personId } })
  })
  return { success: true as const, message: 'Texts are off.' }
})
