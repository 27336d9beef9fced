import { endExpiredEnrollments } from './scheduled-ends.ts'
import { sql } from 'kysely'
import { addDays, dateIn, timeIn } from '../../../shared/dates.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { companyIdFrom } from '../../../server/tenancy.ts'
import { findPayment, type ProviderRoute, settingsOf, ensureProviderRoute } from '../../payments/api.ts'
import { resumeCharge, makeCharge } from './charge.ts'
import { noteDueCharges } from './defer-charge.ts'
import { notifyOfExpiringCards } from './expiring.ts'
import { planCharge, announceUntil, listUnplanned } from './plan.ts'
import { finishCharge } from './finish-charge.ts'
import { autopaySettings, type AutopaySettings } from './settings.ts'
import { attemptStatus } from '../../payments/rules.ts'

/** A run starts no new work after this time. The next run continues. */
const MAX_RUN_MS = 240_000
/** Hours for charges and emails in the company's time zone. AutoPay makes no charges and sends no emails at night. */
const DAY = { from: '06:00', to: '21:00' }
/** Number of charges made in parallel. */
const LANES = 6
const BATCH = 500
/**
 * Maximum number of consecutive calls without a response. After that, AutoPay does not call the provider until the next
 * run.
 */
const MAX_UNREACHABLE = 5
/** Number of days in which a bank can still return a paid eCheck. */
const RETURN_DAYS = 190

interface RunContext {
  context: AppContext
  company: Company
  today: string
  settings: AutopaySettings
  hasTime: () => boolean
  lanes: number
}

/**
 * Runs AutoPay: finishes pending charges, plans due ones, notifies payers and makes today's charges. Each step is
 * committed separately. The next run finds open steps by their rows, so it can resume after a crash. Two runs never do
 * the same step twice.
 */
export async function runAutopay(
  context: AppContext,
  { maxMs = MAX_RUN_MS, lanes = LANES } = {},
): Promise<{ charged: number }> {
  const end = performance.now() + maxMs
  const companies = await context.acrossCompanies((tx) =>
    tx.selectFrom('autopay').select('company_id').distinct().orderBy('company_id').execute(),
  )
  let charged = 0
  for (const { company_id } of companies) {
    const company = await context.hosts.byId(companyIdFrom('job', company_id))
    if (!company) continue
    const settings = await context.inCompany(company.id, (tx) => autopaySettings(tx, company))
    const today = dateIn(company.timeZone, context.clock.now())
    const runContext: RunContext = {
      context,
      company,
      today,
      settings,
      hasTime: () => performance.now() < end,
      lanes,
    }
    await finishAll(runContext)
    const time = timeIn(company.timeZone, context.clock.now())
    if (!settings.enabled || time < DAY.from || time >= DAY.to) continue
    await endExpiredEnrollments(context, company, today)
    await notifyOfExpiringCards(context, company, today)
    await planAll(runContext)
    charged += await chargeAll(runContext)
  }
  return { charged }
}

/** Resumes charges that a crashed run left, and records the outcome of other charges. */
async function finishAll(runContext: RunContext): Promise<void> {
  const { context, company } = runContext
  const { rows } = await context.inCompany(company.id, (tx) =>
    sql<{ id: number; attempt_id: number; stored: string; waits: boolean }>`
        SELECT c.id, c.attempt_id, m.provider_method AS stored, t.step IN ('new', 'created') AS waits
        FROM autopay_charge c
        JOIN payment_attempt t ON t.company_id = c.company_id AND t.id = c.attempt_id
        JOIN autopay a ON a.company_id = c.company_id AND a.id = c.autopay_id
        JOIN stored_method m ON m.company_id = a.company_id AND m.id = a.method_id
        WHERE c.company_id = ${company.id} AND c.state = 'charging' AND (t.status <> ${sql.lit(attemptStatus.pending)} OR t.step IN ('new', 'created'))
        ORDER BY c.id`.execute(tx),
  )
  await inLanes(runContext, rows, async ({ id, attempt_id, stored, waits }) => {
    if (waits)
      await resumeCharge(context, company, id, { payment: await findPayment(context, company, attempt_id), stored })
    else await context.inCompany(company.id, (tx) => finishCharge(tx, context, company, id))
  })
  const since = addDays(runContext.today, -RETURN_DAYS)
  const returned = await context.inCompany(company.id, (tx) =>
    sql<{ id: number }>`
      SELECT c.id FROM status_history h JOIN autopay_charge c ON c.company_id = h.company_id AND c.order_id = h.subject_id
      WHERE h.company_id = ${company.id} AND h.machine = 'order' AND h.event = 'returned' AND h.at >= ${since}::date
        AND c.state = 'paid'`.execute(tx),
  )
  for (const { id } of returned.rows)
    await context.inCompany(company.id, (tx) => finishCharge(tx, context, company, id))
}

/** Plans the charges that came due and notifies the payers. */
async function planAll({ context, company, today, settings, hasTime }: RunContext): Promise<void> {
  const earliest = addDays(today, settings.noticeDays)
  const soonest = announceUntil(today, settings)
  let after = 0
  while (hasTime()) {
    const enrollments = await context.inCompany(company.id, (tx) => listUnplanned(tx, company, after, BATCH, soonest))
    if (enrollments.length === 0) return
    for (const one of enrollments) {
      if (!hasTime()) return
      const bill = { bill: one.newest_bill, dueDate: one.newest_due }
      await context.inCompany(company.id, (tx) => planCharge(tx, context, company, one, bill, { settings, earliest }))
      after = one.id
    }
  }
}

async function chargeAll(runContext: RunContext): Promise<number> {
  const { context, company, today } = runContext
  const through = await prepareProviderRoute(runContext)
  if (!through) return 0
  let [charged, unreachable] = [0, 0]
  const goesOn = () => runContext.hasTime() && unreachable < MAX_UNREACHABLE
  let last = { charge_on: '0001-01-01', id: 0 }
  while (goesOn()) {
    const due = await context.inCompany(company.id, (tx) =>
      sql<{ id: number; charge_on: string }>`
        SELECT id, charge_on FROM autopay_charge
        WHERE company_id = ${company.id} AND state = 'planned' AND charge_on <= ${today}::date
          AND (charge_on, id) > (${last.charge_on}::date, ${last.id})
          AND (not_before IS NULL OR not_before <= ${context.clock.now()})
        ORDER BY charge_on, id LIMIT ${BATCH}`.execute(tx),
    )
    const newest = due.rows.at(-1)
    if (!newest) break
    last = newest
    await inLanes({ ...runContext, hasTime: goesOn }, due.rows, async ({ id }) => {
      const outcome = await makeCharge(context, company, through, id)
      unreachable = outcome === 'unreachable' ? unreachable + 1 : 0
      charged++
    })
  }
  return charged
}

/**
 * Finds the company's provider account for the charges of a run. Null if the provider is unreachable, so the next run
 * retries. During an outage, records the due charges, so that their payers are not late.
 */
async function prepareProviderRoute({ context, company, today }: RunContext): Promise<ProviderRoute | null> {
  const settings = await context.inCompany(company.id, (tx) => settingsOf(tx, company.id))
  const { outage } = settings
  if (outage) {
    await context.inCompany(company.id, (tx) => noteDueCharges(tx, context, company, outage.id, today))
    return null
  }
  return ensureProviderRoute(context, company, settings).catch((error: unknown) => {
    context.log.warn({ err: error, company: company.id }, 'AutoPay waits for the payment provider')
    return null
  })
}

/** Processes items in order, a few in parallel. A failure does not delay other payers, and the next run retries it. */
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

/**
 * Defines the AutoPay job. It runs every ten minutes, because charges become due at different times in the companies'
 * time zones.
 */
export function defineAutopayJobs(context: AppContext): void {
  context.jobs.define('autopay.run', async () => void (await runAutopay(context)), {
    cron: '*/10 * * * *',
    retryLimit: 0,
  })
}
