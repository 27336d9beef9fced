import { endLeft } from './leaving.ts'
import { sql } from 'kysely'
import { addDays, dateIn, timeIn } from '../../../shared/dates.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { findPayment } from '../../payments/server/drive-attempt.ts'
import { type ProviderRoute, settingsOf, throughOf } from '../../payments/server/settings.ts'
import { goOn, makeCharge } from './charge.ts'
import { noteWaiting } from './note-waiting.ts'
import { tellOfExpiringCards } from './expiring.ts'
import { planCharge, soonestOf, unplanned } from './plan.ts'
import { settleCharge } from './settle.ts'
import { autopaySettings, type AutopaySettings } from './settings.ts'

/** A turn begins nothing new after this long; the next goes on where it ended. */
const MAX_RUN_MS = 240_000
/** Nobody is charged, and nobody is written to, at night: between these hours of the town's own clocks. */
const DAY = { from: '06:00', to: '21:00' }
/** So many are charged side by side. */
const LANES = 6
const BATCH = 500
/** A provider that did not answer so many times in a row is left alone until the next turn. */
const MAX_UNREACHABLE = 5
/** An eCheck that was paid can come back for so long. */
const RETURN_DAYS = 190

interface RunContext {
  context: AppContext
  town: Company
  today: string
  settings: AutopaySettings
  hasTime: () => boolean
  lanes: number
}

/**
 * Works through AutoPay: settles what is under way, plans what came due and tells its payers, and charges what is planned
 * for today. Every step is committed by itself and found again by its rows, so that a run that dies is gone on with by
 * the next, and two at once do nothing twice.
 */
export async function runAutopay(
  context: AppContext,
  { longestMs = MAX_RUN_MS, lanes = LANES } = {},
): Promise<{ charged: number }> {
  const end = performance.now() + longestMs
  const towns = await context.acrossCompanies((tx) =>
    tx.selectFrom('autopay').select('company_id').distinct().orderBy('company_id').execute(),
  )
  let charged = 0
  for (const { company_id } of towns) {
    const town = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!town) continue
    const settings = await context.inCompany(town.id, (tx) => autopaySettings(tx, town))
    const today = dateIn(town.timeZone, context.clock.now())
    const turn: RunContext = { context, town, today, settings, hasTime: () => performance.now() < end, lanes }
    await settleAll(turn)
    const time = timeIn(town.timeZone, context.clock.now())
    if (!settings.enabled || time < DAY.from || time >= DAY.to) continue
    await endLeft(context, town, today)
    await tellOfExpiringCards(context, town, today)
    await planAll(turn)
    charged += await chargeAll(turn)
  }
  return { charged }
}

/** What a run that died left half done goes on, and what became of the others is written down. */
async function settleAll(turn: RunContext): Promise<void> {
  const { context, town } = turn
  const { rows } = await context.inCompany(town.id, (tx) =>
    sql<{ id: number; attempt_id: number; stored: string; waits: boolean }>`
        SELECT c.id, c.attempt_id, m.provider_method AS stored, t.step IN ('new', 'created') AS waits
        FROM autopay_charge c
        JOIN payment_attempt t ON t.company_id = c.company_id AND t.id = c.attempt_id
        JOIN autopay a ON a.company_id = c.company_id AND a.id = c.autopay_id
        JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
        WHERE c.company_id = ${town.id} AND c.state = 'charging' AND (t.status <> 0 OR t.step IN ('new', 'created'))
        ORDER BY c.id`.execute(tx),
  )
  await inLanes(turn, rows, async ({ id, attempt_id, stored, waits }) => {
    if (waits) await goOn(context, town, id, { payment: await findPayment(context, town, attempt_id), stored })
    else await context.inCompany(town.id, (tx) => settleCharge(tx, context, town, id))
  })
  const since = addDays(turn.today, -RETURN_DAYS)
  const returned = await context.inCompany(town.id, (tx) =>
    sql<{ id: number }>`
      SELECT c.id FROM status_history h JOIN autopay_charge c ON c.company_id = h.company_id AND c.order_id = h.subject_id
      WHERE h.company_id = ${town.id} AND h.machine = 'order' AND h.event = 'returned' AND h.at >= ${since}::date
        AND c.state = 'paid'`.execute(tx),
  )
  for (const { id } of returned.rows) await context.inCompany(town.id, (tx) => settleCharge(tx, context, town, id))
}

/** Writes the charges of what came due, and tells who will be charged. */
async function planAll({ context, town, today, settings, hasTime }: RunContext): Promise<void> {
  const earliest = addDays(today, settings.noticeDays)
  const soonest = soonestOf(today, settings)
  let after = 0
  while (hasTime()) {
    const found = await context.inCompany(town.id, (tx) => unplanned(tx, town, after, BATCH, soonest))
    if (found.length === 0) return
    for (const one of found) {
      if (!hasTime()) return
      const bill = { bill: one.newest_bill, dueDate: one.newest_due }
      await context.inCompany(town.id, (tx) => planCharge(tx, context, town, one, bill, { settings, earliest }))
      after = one.id
    }
  }
}

async function chargeAll(turn: RunContext): Promise<number> {
  const { context, town, today } = turn
  const through = await throughTown(turn)
  if (!through) return 0
  let [charged, unreachable] = [0, 0]
  const goesOn = () => turn.hasTime() && unreachable < MAX_UNREACHABLE
  let last = { charge_on: '0001-01-01', id: 0 }
  while (goesOn()) {
    const due = await context.inCompany(town.id, (tx) =>
      sql<{ id: number; charge_on: string }>`
        SELECT id, charge_on FROM autopay_charge
        WHERE company_id = ${town.id} AND state = 'planned' AND charge_on <= ${today}::date
          AND (charge_on, id) > (${last.charge_on}::date, ${last.id})
          AND (not_before IS NULL OR not_before <= ${context.clock.now()})
        ORDER BY charge_on, id LIMIT ${BATCH}`.execute(tx),
    )
    const newest = due.rows.at(-1)
    if (!newest) break
    last = newest
    await inLanes({ ...turn, hasTime: goesOn }, due.rows, async ({ id }) => {
      const outcome = await makeCharge(context, town, through, id)
      unreachable = outcome === 'unreachable' ? unreachable + 1 : 0
      charged++
    })
  }
  return charged
}

/**
 * The provider's account of the town, opened with the first charge. Null where it can't be reached: the next turn tries, and
 * what is due meanwhile is noted, so that its payer is not late by an outage.
 */
async function throughTown({ context, town, today }: RunContext): Promise<ProviderRoute | null> {
  const settings = await context.inCompany(town.id, (tx) => settingsOf(tx, town.id))
  const { outage } = settings
  if (outage) {
    await context.inCompany(town.id, (tx) => noteWaiting(tx, context, town, outage.id, today))
    return null
  }
  return throughOf(context, town, settings).catch((error: unknown) => {
    context.log.warn({ err: error, company: town.id }, 'AutoPay waits for the payment service')
    return null
  })
}

/** A few at a time, in their order. What fails is left to the next turn, and keeps nobody else waiting. */
async function inLanes<T>(
  { context, hasTime, lanes }: RunContext,
  all: readonly T[],
  work: (one: T) => Promise<unknown>,
) {
  const queue = all.values()
  const lane = async () => {
    for (const one of queue) {
      if (!hasTime()) return
      await work(one).catch((error: unknown) => context.log.warn({ err: error }, 'AutoPay will try again'))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** The days are the town's own: a turn every ten minutes finds what has come due on its clocks. */
export function defineAutopayJobs(context: AppContext): void {
  context.jobs.define('autopay.run', async () => void (await runAutopay(context)), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
