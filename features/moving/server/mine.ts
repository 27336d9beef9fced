import { implement, signedIn } from '../../../server/call.ts'
import { findCase, lockCase } from '../../../server/cases/entries.ts'
import { findByLink } from '../../../server/cases/guest.ts'
import { linkToOwnCase } from '../../../server/cases/emails.ts'
import { itemOwnerOf } from '../../../server/ongoing-calls.ts'
import { transition } from '../../../server/states.ts'
import { eventsFrom } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { generalPayable } from '../../general-payments/api.ts'
import { retainedMessage } from '../../payments/api.ts'
import { type MoveDetails, moveByLink, myMoves, openMyMove, withdrawMove } from '../contract.ts'
import { moveStates } from '../states.ts'
import { moveStateStore, moves, requesterOf } from './case.ts'
import type { Move } from './points.ts'
import { autopayText } from './autopay.ts'
import { feeOf } from './fee.ts'

const MAX_OWN = 100

export const detailsOf = (row: Move): MoveDetails => ({
  id: row.id,
  number: row.number,
  kind: row.kind,
  status: row.status,
  at: row.created_at.toISOString(),
  leaves: row.leaves_premise,
  leavesOn: row.leaves_on ?? '',
  enters: row.enters_premise,
  entersOn: row.enters_on ?? '',
})

const byLinkCall = implement(moveByLink, (call) =>
  call.reading(async (tx) => {
    const row = await findCase(tx, moves, call.company.id, await findByLink(tx, moves, call, call.body.token))
    const steps: readonly string[] = eventsFrom(moveStates, row.status, { as: 'requester' })
    return {
      ...detailsOf(row),
      forwarding: row.forwarding,
      ownerName: row.owner_name,
      ownerAnswer: row.owner_answer,
      fee: row.status === 'Withdrawn' ? null : await feeOf(tx, row),
      // Only the account's owner sees its AutoPay. A visitor who has only the emailed link does not, because the email
      // may have been forwarded.
      autopay: row.person_id === null ? '' : await autopayText(tx, call.company.id, row),
      can: { withdraw: steps.includes('withdraw') },
    }
  }),
)

const withdrawCall = implement(withdrawMove, (call) =>
  call.inCompany(async (tx) => {
    const { company } = call
    const row = await lockCase(tx, moves, company.id, await findByLink(tx, moves, call, call.body.token))
    await transition(tx, moveStateStore, {
      scope: company.id,
      id: row.id,
      event: 'withdraw',
      actor: requesterOf(call, row),
      deps: call,
    })
    const message = say`Move request ${row.number} was withdrawn.`
    const fee = { kind: generalPayable.kind, id: row.charge_id ?? 0, as: 'requester' as const }
    const retainedText = await retainedMessage(tx, company.id, fee)
    return { success: true as const, message: retainedText ? `${message} ${retainedText}` : message }
  }),
)

const ownMovesCall = implement(myMoves, (call) =>
  call.reading(async (tx) => {
    const rows = await tx
      .selectFrom('move_request')
      .selectAll()
      .where('company_id', '=', call.company.id)
      .where('person_id', '=', signedIn(call).personId)
      .orderBy('id', 'desc')
      .limit(MAX_OWN)
      .execute()
    return { moves: rows.map(detailsOf) }
  }),
)

const openCall = implement(openMyMove, (call) =>
  call.inCompany(async (tx) => ({ token: await linkToOwnCase(tx, itemOwnerOf(call), moves, call.body.moveId) })),
)

export const ownMoveCalls = [byLinkCall, withdrawCall, ownMovesCall, openCall]
