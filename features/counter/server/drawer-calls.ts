import { sql } from 'kysely'
import { callerName, implement, signedIn } from '../../../server/call.ts'
import { csvLabels } from '../../../server/csv.ts'
import { refuseStale } from '../../../server/edits.ts'
import { conflict, notAllowed, rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import { formatCents } from '../../../shared/money.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { decide, describeRefund, sendRefund, COUNTER_PROVIDER } from '../../refunds/api.ts'
import { post, transferOf } from '../../payments/api.ts'
import { agreeToVoid, closeDrawer, correctDrawer, daySheet, myDrawer, openDrawer } from '../contract.ts'
import { drawers } from '../list.ts'
import { expectedCash, countRefusal, differenceRefusal, sumOfCounts } from '../rules.ts'
import { drawerStates } from '../states.ts'
import {
  correctionsOf,
  findDrawer,
  lockedDrawer,
  drawerStateStore,
  lockDrawer,
  openDrawerOf,
  sheetOf,
  sumOf,
  paymentsIn,
  pendingVoids,
} from './drawers.ts'

const myDrawerCall = implement(myDrawer, async (call) =>
  call.reading(async (tx) => {
    const drawer = await openDrawerOf(tx, call.company.id, signedIn(call).personId)
    if (!drawer) return { drawer: null, voids: [] }
    return {
      drawer: await sheetOf(tx, call.company.id, drawer),
      voids: await pendingVoids(tx, call.company.id, drawer.id),
    }
  }),
)

const openDrawerCall = implement(openDrawer, async (call) => {
  const { company, context, body } = call
  const { personId } = signedIn(call)
  const opening_cents = sumOfCounts(body.counts)
  await call.inCompany(async (tx) => {
    const drawer = await tx
      .insertInto('drawer')
      .values({
        company_id: company.id,
        status: 'open',
        staff_id: personId,
        staff_name: callerName(call),
        opened_at: context.clock.now(),
        opening_counts: JSON.stringify(body.counts),
        opening_cents,
      })
      .onConflict((on) => on.columns(['company_id', 'staff_id']).where('status', '=', 'open').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!drawer) throw conflict('open_already', say`You already have an open drawer. Close that drawer first.`)
    const detail = { openingCents: opening_cents }
    await recordCreation(tx, drawerStateStore, {
      scope: company.id,
      id: drawer.id,
      event: 'open',
      actor: actorOf(call),
      detail,
    })
  })
  return { success: true as const, message: say`Drawer opened with ${formatCents(opening_cents)}.` }
})

/**
 * Saves the count of a drawer, which is possible only once. Posts an over/short amount and closes the drawer to
 * payments.
 */
const closeDrawerCall = implement(closeDrawer, async (call) => {
  const { company, context, body } = call
  const counted = sumOfCounts(body.counts)
  const overShortCents = await call.inCompany(async (tx) => {
    const drawer = await lockDrawer(tx, company.id, body.drawerId)
    if (drawer.staff_id !== signedIn(call).personId) throw notAllowed(say`This drawer belongs to another staff member.`)
    const expected = expectedCash(drawer.opening_cents, await paymentsIn(tx, company.id, drawer.id))
    const difference = counted - expected
    if (drawer.status === 'open') {
      const uncounted = countRefusal(body.counts)
      if (uncounted) throw rejected(uncounted, { counts: uncounted })
      const unexplained = differenceRefusal(difference, body.note)
      if (unexplained) throw rejected(unexplained, { note: unexplained })
    }
    const { payments, laterVoids } = await sheetOf(tx, company.id, { ...drawer, closed_at: context.clock.now() })
    await transition(tx, drawerStateStore, {
      ...{ scope: company.id, id: drawer.id, locked: lockedDrawer(drawer), event: 'close', actor: actorOf(call) },
      detail: { countedCents: counted, expectedCents: expected },
      patch: {
        closed_at: context.clock.now(),
        closing_counts: JSON.stringify(body.counts),
        closing_cents: counted,
        expected_cents: expected,
        note: body.note,
        sheet: JSON.stringify({ payments, laterVoids }),
      },
    })
    const entry = { orderId: null, source: COUNTER_PROVIDER, sourceRef: `drawer-${drawer.id}`, at: context.clock.now() }
    await post(tx, company.id, entry, [
      { kind: 'drawer.over', debit: 'office_cash', credit: 'cash_over_short', amountCents: difference },
      { kind: 'drawer.short', debit: 'cash_over_short', credit: 'office_cash', amountCents: -difference },
    ])
    return difference
  })
  const message =
    overShortCents === 0
      ? say`Drawer closed. The drawer is balanced.`
      : overShortCents > 0
        ? say`Drawer closed. The cash is ${formatCents(overShortCents)} over.`
        : say`Drawer closed. The cash is ${formatCents(-overShortCents)} short.`
  return { success: true as const, message, drawerId: body.drawerId }
})

const daySheetCall = implement(daySheet, async (call) =>
  call.reading(async (tx) => {
    const row = await findDrawer(tx, call.company.id, call.body.drawerId)
    const { kind, personId, privileges } = signedIn(call)
    const isSupervisor = kind === 'municipality' && may(privileges, 'counter', 'delete')
    return {
      drawer: await sheetOf(tx, call.company.id, row),
      mayCorrect: isSupervisor && row.status === 'closed' && row.staff_id !== personId,
    }
  }),
)

/** Posts a supervisor's correction after the count. Staff can't correct their own count. */
const correctDrawerCall = implement(correctDrawer, (call) =>
  call.inCompany(async (tx) => {
    const { company, context, body } = call
    const { personId } = signedIn(call)
    const drawer = await lockDrawer(tx, company.id, body.drawerId)
    if (drawer.status !== 'closed') throw conflict('wrong_status', say`This drawer is open. Count and close it first.`)
    if (drawer.staff_id === personId)
      throw notAllowed(say`You counted this drawer, so another staff member must correct it.`)
    const countedCents = (drawer.closing_cents ?? 0) + sumOf(await correctionsOf(tx, company.id, drawer.id))
    refuseStale(
      body.basis,
      { countedCents },
      () =>
        say`Someone else corrected this drawer’s count to ${formatCents(countedCents)}. Check the count and try again.`,
    )
    const cents = body.countedCents - countedCents
    if (cents === 0) {
      const same = say`The count is already ${formatCents(countedCents)}.`
      throw rejected(same, { countedCents: same })
    }
    const at = context.clock.now()
    const { id } = await tx
      .insertInto('drawer_correction')
      .values({
        ...{ company_id: company.id, drawer_id: drawer.id, at, cents, reason: body.reason },
        ...{ person_id: personId, person_name: callerName(call) },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const entry = { orderId: null, source: COUNTER_PROVIDER, sourceRef: `drawer-${drawer.id}.c${id}`, at }
    const kind = cents > 0 ? 'drawer.over' : 'drawer.short'
    await post(tx, company.id, entry, [transferOf({ kind }, 'office_cash', 'cash_over_short', cents)])
    await call.audit(tx, {
      action: 'counter.corrected',
      subject: { kind: 'drawer', id: drawer.id },
      detail: { cents, countedCents: body.countedCents, reason: body.reason },
    })
    return { success: true as const, message: say`A correction of ${formatCents(cents)} was recorded.` }
  }),
)

const agreeToVoidCall = implement(agreeToVoid, async (call) => {
  const { refundId, agree, reason } = call.body
  const row = await decide(call, refundId, agree ? 'agree' : 'disagree', reason)
  const sent = await sendRefund(call.context, call.company.id, row.id)
  if (sent.status === 'failed') throw conflict('not_refunded', describeRefund(sent))
  return { success: true as const, message: describeRefund(sent) }
})

export const drawerCalls = [
  myDrawerCall,
  openDrawerCall,
  closeDrawerCall,
  daySheetCall,
  correctDrawerCall,
  agreeToVoidCall,
  ...implementList(drawers, {
    table: sql`drawer`,
    columns: {
      cashier: 'staff_name',
      openedAt: 'opened_at',
      closedAt: 'closed_at',
      status: 'status',
      payments: sql`(SELECT count(*)::int FROM drawer_payment p WHERE p.company_id = r.company_id AND p.drawer_id = r.id)`,
      openingCents: 'opening_cents',
      closingCents: sql`coalesce(r.closing_cents, 0)`,
      overShortCents: sql`coalesce(r.closing_cents - r.expected_cents, 0)`,
      correctedCents: sql`(SELECT coalesce(sum(c.cents), 0)::bigint FROM drawer_correction c WHERE c.company_id = r.company_id AND c.drawer_id = r.id)`,
      note: 'note',
    },
    csv: { status: csvLabels('r.status', drawerStates.labels) },
    filters: { status: (status) => sql`r.status = ${status}` },
    row: () => ({ can: { view: true } }),
    exported: 'export.drawers',
  }),
]
