import { implement, signedIn } from '../../../server/call.ts'
import { findCase, lockCase } from '../../../server/cases/entries.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { viewOf } from '../../../server/cases/timeline.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { transition, actorOf } from '../../../server/states.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { sql } from 'kysely'
import { changeMoveDays, completeMove, staffMove } from '../contract.ts'
import { moves as list } from '../list.ts'
import { enters, leaves } from '../rules.ts'
import { moveStates } from '../states.ts'
import { moveStateStore, moves } from './case.ts'
import { completedEmail, daysEmail } from './emails.ts'
import { detailsOf } from './mine.ts'
import { autopayText } from './autopay.ts'
import { feeOf } from './fee.ts'
import { applyCompletedMove } from './apply-completed-move.ts'
import { applyMoveToPoints, type Move, partiesAt } from './points.ts'
import { lastReadOf } from '../../utility-accounts/api.ts'
import { completeReadingOrders, moveReads, readingOrdersOf } from './reads.ts'
import { settingsOf } from './settings.ts'

export const moveLists = implementList(list, {
  table: sql`found_move_request`,
  columns: {
    number: 'number',
    icon: sql`CASE r.kind WHEN 1 THEN 'move_in' WHEN 2 THEN 'move_out' ELSE 'move_within' END`,
    kind: 'kind',
    movesOn: 'moves_on',
    name: 'name',
    email: 'email',
    phone: 'phone',
    leaves: 'leaves_premise',
    enters: 'enters_premise',
    acctId: 'account_number',
    owner: 'owner_answer',
    moveStatus: 'status',
    at: 'created_at',
    closedAt: 'closed_at',
  },
  filters: { status: (status) => sql`r.status = ${status}`, kind: (kind) => sql`r.kind = ${Number(kind)}` },
  search: sql`r.search_text`,
  row: () => ({ can: { view: true } }),
  exported: 'export.moves',
})

const staffMoveCall = implement(staffMove, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const session = signedIn(call)
    const row = await findCase(tx, moves, company.id, body.subjectId)
    const view = await viewOf(tx, moves, row, session)
    return {
      ...view,
      move: {
        ...detailsOf(row),
        name: row.name,
        email: row.email,
        phone: row.phone,
        isGuest: row.person_id === null,
        account: row.account_number,
        forwarding: row.forwarding,
        note: row.note,
        finalRead: row.final_reading,
        firstRead: row.first_reading,
        ownerName: row.owner_name,
        ownerEmail: row.owner_email,
        ownerAnswer: row.owner_answer,
        ownerSigned: row.owner_signed,
        ownerAnsweredAt: row.owner_answered_at?.toISOString() ?? null,
      },
      points: await partiesAt(tx, company.id, row),
      fee: await feeOf(tx, row),
      lastRead: leaves(row.kind) ? await lastReadOf(tx, company.id, row) : null,
      autopay: await autopayText(tx, company.id, row),
      orders: await readingOrdersOf(tx, company.id, row.id),
      can: {
        ...view.can,
        complete:
          buttonsFrom(moveStates, row.status, { as: 'staff', privileges: session.privileges }).complete === true,
        changeDays: row.status !== 'Withdrawn' && may(session.privileges, 'moves', 'update'),
      },
    }
  }),
)

const numberIn = (text: string): number | null => (text === '' ? null : Number(text))

/** If the person moves within the municipality, both service points change in the same transaction as the state. */
const completeCall = implement(completeMove, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const { locked, message } = await transition(tx, moveStateStore, {
      scope: company.id,
      id: body.subjectId,
      event: 'complete',
      actor: actorOf(call),
      deps: call,
    })
    const { row } = locked
    const last = leaves(row.kind) ? await lastReadOf(tx, company.id, row) : null
    const final = numberIn(body.finalRead)
    if (last && leaves(row.kind) && final !== null && final < last.reading && !body.isBelow) {
      const errorText = say`The last reading was ${last.reading} on ${formatDate(last.on)}. Enter a higher reading, or confirm that this reading is correct.`
      throw rejected(errorText, { finalRead: errorText })
    }
    await changeRow(tx, 'move_request', company.id, row.id, {
      final_reading: leaves(row.kind) ? numberIn(body.finalRead) : null,
      first_reading: enters(row.kind) ? numberIn(body.firstRead) : null,
    })
    await applyMoveToPoints(tx, company.id, row)
    const notices = await applyCompletedMove(tx, call, row, await settingsOf(tx, company.id))
    const reads = await completeReadingOrders(tx, call, row, {
      final: body.finalRead !== '',
      first: body.firstRead !== '',
    })
    await emailPerson(tx, context, moves, company, row, () => completedEmail(row.id, notices))
    const more = [
      ...(reads.done.length > 0 ? [say`Work orders completed: ${reads.done.join(', ')}.`] : []),
      ...(reads.open.length > 0
        ? [say`Work orders still open because the reading is missing: ${reads.open.join(', ')}.`]
        : []),
    ]
    return { success: true as const, message: [message, ...more].join(' ') }
  }),
)

const DAY_NEEDED = 'Choose a day.'

const changeDaysCall = implement(changeMoveDays, (call) =>
  call.inCompany(async (tx) => {
    const { context, company, body } = call
    const row: Move = await lockCase(tx, moves, company.id, body.subjectId)
    if (row.status === 'Withdrawn')
      throw conflict(
        'wrong_status',
        say`You cannot change the dates for move request ${row.number} because it was withdrawn.`,
      )
    const now = { leavesOn: row.leaves_on ?? '', entersOn: row.enters_on ?? '' }
    const input = {
      leavesOn: leaves(row.kind) ? body.leavesOn : '',
      entersOn: enters(row.kind) ? body.entersOn : '',
    }
    if (leaves(row.kind) && input.leavesOn === '') throw rejected(DAY_NEEDED, { leavesOn: DAY_NEEDED })
    if (enters(row.kind) && input.entersOn === '') throw rejected(DAY_NEEDED, { entersOn: DAY_NEEDED })
    const edit = editBy(tx, call, `move_request:${row.id}`)
    const { after, isChanged } = await applyEdit(edit, { basis: body.basis, own: input, before: now })
    if (isChanged) {
      const days = { leaves_on: after.leavesOn || null, enters_on: after.entersOn || null }
      await changeRow(tx, 'move_request', company.id, row.id, { ...days, updated_at: context.clock.now() })
      await moveReads(tx, call, row, { ...row, ...days })
      if (row.status === 'Completed') await applyMoveToPoints(tx, company.id, { ...row, ...days })
      await call.audit(tx, {
        action: 'move.days_changed',
        subject: { kind: 'move_request', id: row.number },
        detail: { before: now, after },
      })
      await emailPerson(tx, context, moves, company, row, () => daysEmail(row.id))
    }
    return { success: true as const, message: say`The dates for move ${row.number} were saved.` }
  }),
)

export const staffCalls = [staffMoveCall, completeCall, changeDaysCall]
