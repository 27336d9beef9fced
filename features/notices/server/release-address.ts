import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { forgetRefusals } from '../../../server/notices/refused-addresses.ts'
import { releaseAddress } from '../contract.ts'
import { say } from '../../../shared/messages.ts'

/** Lets the portal send new notices to an address again. Earlier unsent notices stay unsent. */
export const releaseAddressCall = implement(releaseAddress, (call) =>
  call.inCompany(async (tx) => {
    const notice = await tx
      .selectFrom('company_notice')
      .select(['rests_as', sql<string>`masked_receiver(receiver)`.as('masked')])
      .where('company_id', '=', call.company.id)
      .where('id', '=', call.body.noticeId)
      .executeTakeFirst()
    // PostgreSQL reports every column of a view as nullable, so the type requires this check.
    if (!notice?.rests_as) throw notFound('This notification was not found.')
    const { rests_as, masked } = notice
    if (!(await forgetRefusals(tx, { company: call.company.id, address: rests_as })))
      throw conflict('not_resting', say`${masked} is not paused and already receives messages.`)
    await call.audit(tx, { action: 'notices.released', detail: { to: masked } })
    return { success: true as const, message: say`Messages to ${masked} have resumed.` }
  }),
)
