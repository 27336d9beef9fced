import type { Clock } from '../../server/clock.ts'
import { textName, usualSmsSettings } from '../../server/sms/settings.ts'
import { readyToSend } from '../../server/sms/texts.ts'
import type { DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'

const HOUR_MS = 3_600_000

/** Sample text messages: age in hours, event, sandbox phone and result of each. */
const demoNotices = [
  { hours: 30, event: 'payment.receipt', kind: 'payments', phone: '+17175550142', state: 'delivered', reason: '' },
  { hours: 52, event: 'case.to_person', kind: 'conversations', phone: '+17175550143', state: 'delivered', reason: '' },
  { hours: 75, event: 'payment.returned', kind: 'payments', phone: '+17175550142', state: 'delivered', reason: '' },
  { hours: 78, event: 'payment.receipt', kind: 'payments', phone: '+17175550192', state: 'failed', reason: '30003' },
  {
    hours: 54,
    event: 'case.to_person',
    kind: 'conversations',
    phone: '+17175550192',
    state: 'resting',
    reason: 'rests',
  },
  { hours: 101, event: 'payment.receipt', kind: 'payments', phone: '+17175550194', state: 'stopped', reason: '21610' },
  { hours: 123, event: 'payment.receipt', kind: 'payments', phone: '+17175550143', state: 'delivered', reason: '' },
] as const

const eventTexts = {
  'payment.receipt': 'your payment of $84.12 went through. The receipt is in your email. TEST: no money moves.',
  'payment.returned': 'your bank returned the eCheck of $84.12. The amount is owed again. See your email.',
  'case.to_person': 'we replied to your request. The reply is in your email.',
}

/** Adds recent text messages to the staff list and the sandbox phones. One number is paused. */
async function addTexts(tx: Tx, clock: Clock, demoCompany: { id: CompanyId; name: string }): Promise<void> {
  const company_id = demoCompany.id
  const now = clock.now().getTime()
  for (const { hours, event, kind, phone, state, reason } of demoNotices) {
    const at = new Date(now - hours * HOUR_MS)
    const { body, segments } = readyToSend(`${textName(demoCompany, usualSmsSettings)}: ${eventTexts[event]}`)
    await tx
      .insertInto('sms_message')
      .values({
        company_id,
        event,
        kind,
        phone,
        person_id: 0,
        body,
        segments,
        created_at: at,
        send_after: at,
        finished_at: at,
        state,
        reason,
      })
      .execute()
    if (state !== 'delivered' && state !== 'failed') continue
    const status = state === 'failed' ? 'undelivered' : state
    await tx
      .insertInto('sandbox_sms')
      .values({
        sid: `demo-${company_id}-${hours}`,
        direction: 'to phone',
        from_number: '+17175550100',
        to_number: phone,
        body,
        status,
        error_code: reason,
        at,
      })
      .execute()
  }
  await tx
    .insertInto('sms_opt_out')
    .values({ company_id, phone: '+17175550194', at: new Date(now - 102 * HOUR_MS) })
    .execute()
  await tx
    .insertInto('refused_address')
    .values({
      company_id,
      address: '+17175550192',
      code: '30003',
      refusals: 3,
      refused_at: new Date(now - 78 * HOUR_MS),
      rests_until: new Date(now + 18 * HOUR_MS),
    })
    .execute()
}

export const demo: DemoPart = {
  early: true,
  company: ({ db, clock }, demoCompany, { company: id }) =>
    tenancyOn(db.app)(id, (tx) => addTexts(tx, clock, { id, name: demoCompany.company.companyName })),
}
