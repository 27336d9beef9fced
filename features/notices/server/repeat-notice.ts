import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { repeatUnclear } from '../../../server/notices/repeat.ts'
import { say } from '../../../shared/messages.ts'
import { repeatNotice } from '../contract.ts'

export const repeatNoticeCall = implement(repeatNotice, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const repeated = await repeatUnclear(tx, context, company.id, body.noticeId)
    if (!repeated)
      throw conflict('not_unclear', say`The delivery status is now known, so the message was not sent again.`)
    const { channel, masked } = repeated
    await call.audit(tx, { action: 'notices.repeated', detail: { to: masked, channel } })
    return {
      success: true as const,
      message: channel === 'text' ? say`The text to ${masked} is being sent again.` : say`Calling ${masked} again.`,
    }
  }),
)
