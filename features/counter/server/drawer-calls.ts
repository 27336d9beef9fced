import { sql } from 'kysely'
import { callerName, implement, signedIn } from '../../../server/call.ts'
import { csvLabels } from '../../../server/csv.ts'
import { conflict, notAllowed } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import { begin, move, whoOf } from '../../../server/states.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { post } from '../../payments/server/ledger.ts'
import { AT_OFFICE } from '../../payments/server/till.ts'
import { closeDrawer, daySheet, myDrawer, openDrawer } from '../contract.ts'
import { drawers } from '../list.ts'
import { expectedCash, sumOfCounts } from '../rules.ts'
import { drawerStates } from '../states.ts'
import { findDrawer, heldDrawer, keptDrawers, lockDrawer, openDrawerOf, sheetOf, takenInto } from './drawers.ts'

const myDrawerCall = implement(myDrawer, async (call) =>
  call.reading(async (tx) => {
    const drawer = await openDrawerOf(tx, call.company.id, signedIn(call).personId)
    return { drawer: drawer ? await sheetOf(tx, call.company.id, drawer) : null }
  }),
)

const openDrawerCall = implement(openDrawer, async (call) => {
  const { company, house, body } = call
  const { personId } = signedIn(call)
  const opening_cents = sumOfCounts(body.counts)
  await call.inCompany(async (tx) => {
    const drawer = await tx
      .insertInto('drawer')
      .values({
        company_id: company.id,
        status: 'open',
        clerk_id: personId,
        clerk_name: callerName(call),
        opened_at: house.clock.now(),
        opening_counts: JSON.stringify(body.counts),
        opening_cents,
      })
      .onConflict((on) => on.columns(['company_id', 'clerk_id']).where('status', '=', 'open').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!drawer) throw conflict('open_already', say`You have a drawer open already. Close it first.`)
    const detail = { openingCents: opening_cents }
    await begin(tx, keptDrawers, { place: company.id, id: drawer.id, event: 'open', who: whoOf(call), detail })
  })
  return { success: true as const, message: say`The drawer is open with ${formatCents(opening_cents)}.` }
})

/** Counts once: what is over or short is booked with the count, and nothing is taken into the drawer any more. */
const closeDrawerCall = implement(closeDrawer, async (call) => {
  const { company, house, body } = call
  const counted = sumOfCounts(body.counts)
  const overCents = await call.inCompany(async (tx) => {
    const drawer = await lockDrawer(tx, company.id, body.drawerId)
    if (drawer.clerk_id !== signedIn(call).personId) throw notAllowed(say`This drawer is somebody else’s.`)
    const expected = expectedCash(drawer.opening_cents, await takenInto(tx, company.id, drawer.id))
    const over = counted - expected
    await move(tx, keptDrawers, {
      ...{ place: company.id, id: drawer.id, held: heldDrawer(drawer), event: 'close', who: whoOf(call) },
      detail: { countedCents: counted, expectedCents: expected },
      facts: {
        closed_at: house.clock.now(),
        closing_counts: JSON.stringify(body.counts),
        closing_cents: counted,
        expected_cents: expected,
        note: body.note,
      },
    })
    const entry = { orderId: null, source: AT_OFFICE, sourceRef: `drawer-${drawer.id}`, at: house.clock.now() }
    await post(tx, company.id, entry, [
      { kind: 'drawer.over', debit: 'office_cash', credit: 'cash_over_short', amountCents: over },
      { kind: 'drawer.short', debit: 'cash_over_short', credit: 'office_cash', amountCents: -over },
    ])
    return over
  })
  const message =
    overCents === 0
      ? say`The drawer is closed, and its cash is right.`
      : overCents > 0
        ? say`The drawer is closed. It is ${formatCents(overCents)} over.`
        : say`The drawer is closed. It is ${formatCents(-overCents)} short.`
  return { success: true as const, message, drawerId: body.drawerId }
})

const daySheetCall = implement(daySheet, async (call) =>
  call.reading(async (tx) => ({
    drawer: await sheetOf(tx, call.company.id, await findDrawer(tx, call.company.id, call.body.drawerId)),
  })),
)

export const drawerCalls = [
  myDrawerCall,
  openDrawerCall,
  closeDrawerCall,
  daySheetCall,
  ...implementList(drawers, {
    table: sql`drawer`,
    columns: {
      clerk: 'clerk_name',
      openedAt: 'opened_at',
      closedAt: 'closed_at',
      status: 'status',
      payments: sql`(SELECT count(*)::int FROM drawer_payment p WHERE p.company_id = r.company_id AND p.drawer_id = r.id)`,
      openingCents: 'opening_cents',
      closingCents: sql`coalesce(r.closing_cents, 0)`,
      overCents: sql`coalesce(r.closing_cents - r.expected_cents, 0)`,
      note: 'note',
    },
    csv: { status: csvLabels('r.status', drawerStates.labels) },
    filters: { status: (status) => sql`r.status = ${status}` },
    row: () => ({ can: { view: true } }),
    exported: 'export.drawers',
  }),
]
