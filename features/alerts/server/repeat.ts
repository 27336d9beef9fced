import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { repeatUnclear } from '../../../server/notices/repeat.ts'
import { say } from '../../../shared/messages.ts'
import { repeatDelivery } from '../contract-staff.ts'

export const repeatDeliveryCall = implement(repeatDelivery, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const delivery = await tx
      .selectFrom('alert_delivery as d')
      .innerJoin('alert as a', (on) => on.onRef('a.company_id', '=', 'd.company_id').onRef('a.id', '=', 'd.alert_id'))
      .select(['d.id', 'd.message_id', 'd.name', 'a.number', 'a.expires_at'])
      .where('d.company_id', '=', company.id)
      .where('d.id', '=', body.deliveryId)
      .where('d.channel', 'in', ['text', 'call'])
      .forUpdate('d')
      .executeTakeFirst()
    if (!delivery?.message_id) throw notFound(say`This delivery was not found.`)
    const { id, message_id, name, number, expires_at } = delivery
    if (expires_at <= context.clock.now())
      throw conflict(
        'alert_ended',
        say`Alert ${number} has ended. The portal will not send further messages about the alert.`,
      )
    const repeated = await repeatUnclear(tx, context, company.id, message_id)
    if (!repeated)
      throw conflict('not_unclear', say`The delivery status is now known, so the message was not sent again.`)
    await tx
      .updateTable('alert_delivery')
      .set({ state: 'waiting', reason: '', at: context.clock.now() })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
    const { channel } = repeated
    const subject = { kind: 'alert', id: number } as const
    await call.audit(tx, { action: 'alert.repeated', subject, detail: { name, channel } })
    return {
      success: true as const,
      message: channel === 'text' ? say`Texting ${name} again.` : say`Calling ${name} again.`,
    }
  }),
)
