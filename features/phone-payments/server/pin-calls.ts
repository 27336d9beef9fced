import { hashPassword } from '../../../server/accounts/passwords.ts'
import { implement, signedIn } from '../../../server/call.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { isOn } from '../../../server/modules.ts'
import { defineNotice } from '../../../server/notices/notice.ts'
import { notify } from '../../../server/notices/notify.ts'
import { say } from '../../../shared/messages.ts'
import { phonePin, removePhonePin, setPhonePin } from '../contract.ts'
import { phoneSettings } from './phone-settings.ts'

const perPerson = defineLimit('phone-pin-set', { max: 10, minutes: 60, text: 'You changed the PIN too many times.' })

/**
 * Notice to a resident that a PIN was set. The resident must know, because another person who set the PIN could pay
 * with the resident's card.
 */
const pinSet = defineNotice<object>({
  event: 'payment.phone_pin',
  required: true,
  toCaller: () => true,
  why: ({ name }) => say`You are receiving this email because you have an account with ${name}.`,
  content: (_data, { name, url }) => ({
    subject: say`A PIN for paying by phone was set`,
    paragraphs: [
      say`Anyone with your account number and this PIN can now pay your bill by phone. They can use your saved cards and bank accounts.`,
      {
        label: say`Review the PIN`,
        url: url('/profile/payment-methods'),
        text: say`If you did not set this PIN, contact ${name} and remove the PIN on this page:`,
      },
    ],
  }),
})

export const phonePinCall = implement(phonePin, (call) =>
  call.reading(async (tx) => {
    const { enabled, number, needsPin } = await phoneSettings(tx, call.company.id)
    const pin = await tx
      .selectFrom('phone_pin')
      .select('set_at')
      .where('company_id', '=', call.company.id)
      .where('person_id', '=', signedIn(call).personId)
      .executeTakeFirst()
    return { enabled: enabled && isOn(call.company, 'phone'), number, needsPin, hasPin: pin !== undefined }
  }),
)

export const setPhonePinCall = implement(setPhonePin, async (call) => {
  const { company, context, body } = call
  const { personId, email } = signedIn(call)
  await countAttempt(context, [perPerson(`${company.id}/${personId}`)])
  const pin_hash = await hashPassword(body.pin, call.address)
  const fresh = { pin_hash, set_at: context.clock.now() }
  await call.inCompany(async (tx) => {
    await tx
      .insertInto('phone_pin')
      .values({ company_id: company.id, person_id: personId, ...fresh })
      .onConflict((on) => on.columns(['company_id', 'person_id']).doUpdateSet(fresh))
      .execute()
    await call.audit(tx, { action: 'phone_pin.set', person: personId })
    await notify(tx, context, { at: company, to: email, person: personId, notice: pinSet, data: {} })
  })
  return { success: true as const, message: say`Your PIN is set. You can now pay by phone.` }
})

export const removePhonePinCall = implement(removePhonePin, async (call) => {
  const { personId } = signedIn(call)
  await call.inCompany(async (tx) => {
    await tx
      .deleteFrom('phone_pin')
      .where('company_id', '=', call.company.id)
      .where('person_id', '=', personId)
      .execute()
    await call.audit(tx, { action: 'phone_pin.removed', person: personId })
  })
  return { success: true as const, message: say`Your PIN was removed. No one can use it to pay by phone.` }
})
