import { auditPlatform } from '../../../server/audit.ts'
import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { tryEventAgain } from '../../payments/api.ts'
import { tryEvent } from '../contract.ts'

export const tryEventCall = implement(tryEvent, async (call) => {
  const { context, body } = call
  const error = await tryEventAgain(context, body.eventId)
  if (error === undefined) throw notFound('This event was not found.')
  const detail = { applied: error === null }
  await context.acrossCompanies((tx) =>
    auditPlatform(tx, context.clock, call, {
      action: 'payment.event_repeated',
      subject: { kind: 'payment_event', id: body.eventId },
      detail,
    }),
  )
  return { success: error === null, error: error ?? '' }
})
