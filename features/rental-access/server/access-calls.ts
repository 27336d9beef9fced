import { type Call, implement, signedIn } from '../../../server/call.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { staffAccess, myAccess, renewAccess } from '../contract.ts'
import { type Access, accessOf, isVisible } from './sync-access-codes.ts'
import { findReservation, lockReservation } from '../../rentals/api.ts'

const NONE = { is: 'none', code: '', from: '', until: '' } as const

function accessView(access: Access | undefined, { context }: Pick<Call, 'context'>, seesCode: boolean) {
  if (!access) return NONE
  const times = { from: access.from_at.toISOString(), until: access.until_at.toISOString() }
  if (access.code_sealed === null) return { is: 'wanted' as const, code: '', ...times }
  return seesCode
    ? { is: 'here' as const, code: context.secrets.open(access.code_sealed), ...times }
    : { is: 'later' as const, code: '', ...times }
}

const ownCall = implement(myAccess, (call) =>
  call.reading(async (tx) => {
    const { company, body, context } = call
    const row = await findReservation(tx, company.id, body.reservationId)
    if (row.person_id !== signedIn(call).personId) throw notFound('We did not find this reservation in your account.')
    const access = await accessOf(tx, company.id, row.id)
    return accessView(access, call, access !== undefined && isVisible(access, context.clock.now()))
  }),
)

const staffCall = implement(staffAccess, (call) =>
  call.reading(async (tx) => {
    const { company, body } = call
    const { id } = await findReservation(tx, company.id, body.reservationId)
    const access = await accessOf(tx, company.id, id)
    const mayChange = may(signedIn(call).privileges, 'rentals', 'update')
    return {
      ...accessView(access, call, mayChange),
      lastError: access?.last_error ?? '',
      can: { renew: mayChange && access?.status === 'granted' },
    }
  }),
)

const renewCall = implement(renewAccess, (call) =>
  call.inCompany(async (tx) => {
    const { company, body, context } = call
    const row = await lockReservation(tx, company.id, body.reservationId)
    const access = await accessOf(tx, company.id, row.id)
    if (!access || access.status !== 'granted')
      throw conflict('wrong_status', say`Reservation ${row.number} does not have an active door code.`)
    // Ends the current code. The next run of the job then requests a new code, because the reservation has none.
    await changeRow(tx, 'rental_access', company.id, access.id, { status: 'ending', try_at: context.clock.now() })
    await call.audit(tx, {
      action: 'rental.access_renewed',
      subject: { kind: 'rental_reservation', id: row.number },
      detail: { door: access.door, reason: body.reason },
    })
    return {
      success: true as const,
      message: say`Reservation ${row.number} will get a new door code. We will email it to the renter.`,
    }
  }),
)

export const accessCalls = [ownCall, staffCall, renewCall]
