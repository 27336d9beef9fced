import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom } from '../../../server/tenancy.ts'
import {
  followAccounts,
  type Provider,
  type ProviderAccountStatus,
  allProviders,
  findProvider,
} from '../../payments/api.ts'
import { notifyCompany } from './emails.ts'
import { enter, refreshStatus } from './onboardings.ts'
import { accountOf, lockOnboarding, type Onboarding } from './rows.ts'

/**
 * Intervals of status checks. A company that is not ready is checked often. A ready company is checked only a few times
 * a day, because events usually report its changes earlier.
 */
const [SOON_MS, LATER_MS] = [10 * 60_000, 6 * 3_600_000]
/** Companies per batch, and the time after which a run starts no new batch. */
const [BATCH, MAX_RUN_MS] = [50, 120_000]

/**
 * Requests a company's status from the provider and saves it. Events can arrive twice, late or out of order, so only
 * the current status counts. A response to an older request is ignored.
 * @returns true if the company has an account to check
 * @throws ProviderSilent, ProviderRefused
 */
export async function learn(context: AppContext, company: CompanyId, provider: Provider): Promise<boolean> {
  if (!provider.onboarding) return false
  const checkedAt = context.clock.now()
  const account = await context.acrossCompanies((tx) => accountOf(tx, { company_id: company, provider: provider.name }))
  if (account === null) return false
  const accountStatus = await provider.onboarding.loadStatus(account)
  await context.acrossCompanies(async (tx) => {
    await enter(tx, context, company, provider.name)
    const { id } = await tx
      .selectFrom('provider_onboarding')
      .select('id')
      .where('company_id', '=', company)
      .where('provider', '=', provider.name)
      .executeTakeFirstOrThrow()
    const row = await lockOnboarding(tx, company, id)
    if (row.checked_at !== null && row.checked_at > checkedAt) return
    const patch = patchFrom(accountStatus, checkedAt)
    await changeRow(tx, 'provider_onboarding', company, id, patch)
    const now: Onboarding = { ...row, ...patch }
    await refreshStatus(tx, context, now)
    // True if the state is unchanged but more information is missing.
    const isMore = row.status === 'missing' && patch.missing.some((code) => !row.missing.includes(code))
    const after = isMore && (await lockOnboarding(tx, company, id))
    if (after && after.status === 'missing') await notifyCompany(tx, context, after)
  })
  return true
}

function patchFrom({ state, takesPayments, isPaidOut, missing, dueAt, why }: ProviderAccountStatus, checkedAt: Date) {
  const wait = state === 'ready' ? LATER_MS : SOON_MS
  return {
    ...{
      provider_state: state,
      takes_payments: takesPayments,
      is_paid_out: isPaidOut,
      missing: [...missing],
      due_at: dueAt,
    },
    ...{ why, checked_at: checkedAt, next_check_at: new Date(checkedAt.getTime() + wait) },
  }
}

/**
 * Checks every company with a due check, because an event from the provider may be lost.
 * @returns the number of checked companies
 */
export async function recheckPending(context: AppContext): Promise<number> {
  await enterChosen(context)
  const end = performance.now() + MAX_RUN_MS
  let checkedCount = 0
  for (let more = true; more && performance.now() < end;) {
    const due = await takeDue(context)
    for (const { company_id, provider } of due) {
      const connected = findProvider(context.config, provider)
      if (!connected) continue
      // The time of the next check is already stored, so a failing check does not delay the remaining companies.
      const wasChecked = await learn(context, companyIdFrom('job', company_id), connected).catch((error: unknown) => {
        context.log.warn({ err: error, company: company_id, provider }, 'how a town stands could not be asked')
        return true
      })
      if (wasChecked) checkedCount++
    }
    more = due.length === BATCH
  }
  return checkedCount
}

/** Creates an onboarding for each company with its chosen provider. */
async function enterChosen(context: AppContext): Promise<void> {
  const { rows } = await context.readingAll((tx) =>
    sql<{ company: number; provider: string }>`
      SELECT s.company_id AS company, p.provider FROM payment_settings s JOIN processor p ON p.id = s.processor_id
      WHERE NOT EXISTS (SELECT FROM provider_onboarding o WHERE o.company_id = s.company_id AND o.provider = p.provider)
      ORDER BY s.company_id LIMIT ${BATCH}`.execute(tx),
  )
  for (const { company, provider } of rows)
    await context.acrossCompanies((tx) => enter(tx, context, companyIdFrom('job', company), provider))
}

/**
 * Selects the companies with a due check, the longest overdue first, and postpones their next check. So two servers do
 * not check the same company.
 */
async function takeDue(context: AppContext): Promise<Pick<Onboarding, 'company_id' | 'provider'>[]> {
  const now = context.clock.now()
  const next = new Date(now.getTime() + SOON_MS)
  const connected = allProviders(context.config).map(({ name }) => name)
  const { rows } = await context.acrossCompanies((tx) =>
    sql<Pick<Onboarding, 'company_id' | 'provider'>>`
      UPDATE provider_onboarding o SET next_check_at = ${next}
      FROM (SELECT company_id, id FROM provider_onboarding WHERE next_check_at <= ${now} AND provider = ANY (${connected})
        ORDER BY next_check_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) due
      WHERE (o.company_id, o.id) = (due.company_id, due.id) RETURNING o.company_id, o.provider`.execute(tx),
  )
  return rows
}

export function defineOnboardingJobs(context: AppContext): void {
  context.jobs.define('onboarding.refresh', async () => void (await recheckPending(context)), {
    cron: '*/5 * * * *',
    retryLimit: 0,
  })
}

followAccounts(learn)
