import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { conflict } from '../../../server/errors.ts'
import { SEND_SMS } from '../../../server/sms/queue.ts'
import { say } from '../../../shared/words.ts'
import { repeatNotice } from '../contract.ts'

/** Puts a text back into the queue as if it had never been asked for: only somebody who decides that may have it sent twice. */
export const repeatNoticeCall = implement(repeatNotice, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, house } = call
    const now = house.clock.now()
    const { rows } = await sql<{ masked: string }>`
      UPDATE sms_message SET state = 'waiting', reason = '', asked_at = NULL, held_until = NULL, settled_at = NULL, send_after = ${now}
      WHERE company_id = ${company.id} AND id = ${body.noticeId} AND state = 'unclear'
      RETURNING masked_receiver(phone) AS masked`.execute(tx)
    if (!rows[0]) throw conflict('not_unclear', say`What became of this text is known by now, so it is not sent again.`)
    const { masked } = rows[0]
    await house.jobs.enqueue(tx, SEND_SMS, { company: company.id, id: body.noticeId })
    await call.audit(tx, { action: 'notices.repeated', detail: { to: masked } })
    return { success: true as const, message: say`The text to ${masked} is sent again.` }
  }),
)
