import { callerName, implement, signedIn } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { noticeSenderOf } from '../../../server/notices/notify.ts'
import { queueSms } from '../../../server/sms/queue.ts'
import { readSmsSettings, textName } from '../../../server/sms/settings.ts'
import { queueCalls } from '../../../server/voice/queue.ts'
import { storeSetupChoice } from '../../../server/setup.ts'
import { TESTED } from './setup-steps.ts'
import { say } from '../../../shared/messages.ts'
import { testAlert } from '../contract-staff.ts'
import { findAlert } from './alerts.ts'
import { ALERT_EVENT } from './audience.ts'
import { callText, emailFor, smsText } from './emails.ts'

export const testCall = implement(testAlert, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const { personId, email, kind } = signedIn(call)
    if (kind !== 'municipality') throw conflict('no_mailbox', say`Only municipality staff can receive test alerts.`)
    const row = await findAlert(tx, company.id, call.body.alertId)
    const chooser = { company, name: callerName(call), at: context.clock.now() }
    await storeSetupChoice(tx, chooser, 'alerts', TESTED)
    const at = noticeSenderOf(context, company)
    for (const language of row.content.es ? (['en', 'es'] as const) : (['en'] as const))
      await context.mailer.send(tx, company.id, emailFor(context, at, row, email, language, true))
    const phone = await tx
      .selectFrom('sms_number')
      .select('phone')
      .where('company_id', '=', company.id)
      .where('person_id', '=', personId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (phone) {
      const sms = { company, person: personId, phone: phone.phone, event: ALERT_EVENT, kind: 'account' as const }
      await queueSms(tx, context, { ...sms, body: smsText(row, at, 'en', true) }, await readSmsSettings(tx, company.id))
    }
    const line = await tx
      .selectFrom('voice_number')
      .select('phone')
      .where('company_id', '=', company.id)
      .where('person_id', '=', personId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (line) {
      const settings = await readSmsSettings(tx, company.id)
      const spokenTexts = [callText(row, textName(company, settings), 'en', true)]
      const about = { company, event: ALERT_EVENT, kind: 'account' as const }
      await queueCalls(tx, context, about, [{ person: personId, phone: line.phone, content: spokenTexts }], settings)
    }
    await call.audit(tx, { action: 'alert.tested', subject: { kind: 'alert', id: row.number }, detail: { to: email } })
    return { success: true as const, message: say`Sending a test alert to ${email}.` }
  }),
)
