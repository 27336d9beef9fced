import type { Call } from '../../../server/call.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { applyMove } from '../../../server/move-handlers.ts'
import { addDays, formatDate } from '../../../shared/dates.ts'
import { noLocation } from '../../../shared/places.ts'
import { say } from '../../../shared/messages.ts'
import { scheduleAutopayEnd } from '../../autopay/api.ts'
import { utilityBills } from '../../utility-accounts/api.ts'
import { leaveLinked } from '../../utility-portal/api.ts'
import type { MovingSettings } from '../rules.ts'
import type { Move } from './points.ts'

/**
 * Applies a completed move to the signed-in requester. The account at the old address becomes a former account, and its
 * AutoPay ends after the final bill. The requester's household registration moves too.
 * @returns messages about these effects
 */
export async function applyCompletedMove(
  tx: Tx,
  call: Call,
  row: Move,
  { autopayDays }: MovingSettings,
): Promise<string[]> {
  const { company, context } = call
  const { person_id: person, account_id: account, leaves_on: leftOn } = row
  if (person === null || leftOn === null) return []
  const notices: string[] = []
  if (account !== null) {
    await leaveLinked(tx, { company: company.id, person, account }, leftOn)
    notices.push(
      say`Account ${row.account_number} will stay in your list of accounts as a former account, with its final bill and history.`,
    )
    const endsOn = addDays(leftOn, autopayDays)
    if (await scheduleAutopayEnd(tx, company.id, { person, kind: utilityBills.kind, payable: account, endsOn }))
      notices.push(
        say`AutoPay for this account will continue until ${formatDate(endsOn)} to pay the final bill. Then it will end.`,
      )
  }
  const to = row.enters_on ? { ...noLocation, text: row.enters_premise, addressId: row.enters_address_id } : null
  const along = await applyMove(tx, context, company.id, {
    person,
    left: { addressId: row.leaves_address_id, text: row.leaves_premise },
    to,
    by: say`Move ${row.number}`,
  })
  return [...notices, ...along]
}
