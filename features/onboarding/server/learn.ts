import { sql } from 'kysely'
import { changeRow } from '../../../server/db/rows.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type CompanyId, companyIdFrom } from '../../../server/tenancy.ts'
import { followAccounts } from '../../payments/server/account-news.ts'
import type { Provider, ProviderAccountStatus } from '../../payments/server/provider.ts'
import { allProviders, findProvider } from '../../payments/server/providers.ts'
import { tellTown } from './emails.ts'
import { enter, settle } from './onboardings.ts'
import { accountOf, lockOnboarding, type Onboarding } from './rows.ts'

/** A town that waits for something is asked about often, and one that is ready a few times a day: an event tells of it first. */
const [SOON_MS, LATER_MS] = [10 * 60_000, 6 * 3_600_000]
/** A turn of the job takes so many at once, and begins none after so long. */
const [BATCH, MAX_RUN_MS] = [50, 120_000]

/**
 * Asks the provider how a town stands and keeps what it says. Events may come twice, late or in another order: what counts is
 * what it says now, and an answer to an older question than the one that is kept is dropped. Answers whether there was anything
 * to ask about.
 * @throws ProviderSilent, ProviderRefused
 */
export async function learn(context: AppContext, company: CompanyId, provider: Provider): Promise<boolean> {
  if (!provider.onboarding) return false
  const askedAt = context.clock.now()
  const account = await context.acrossCompanies((tx) => accountOf(tx, { company_id: company, provider: provider.name }))
  if (account === null) return false
  const standing = await provider.onboarding.standing(account)
  await context.acrossCompanies(async (tx) => {
    await enter(tx, context, company, provider.name)
    const { id } = await tx
      .selectFrom('provider_onboarding')
      .select('id')
      .where('company_id', '=', company)
      .where('provider', '=', provider.name)
      .executeTakeFirstOrThrow()
    const row = await lockOnboarding(tx, company, id)
    if (row.asked_at !== null && row.asked_at > askedAt) return
    const told = toldBy(standing, askedAt)
    await changeRow(tx, 'provider_onboarding', company, id, told)
    const now: Onboarding = { ...row, ...told }
    await settle(tx, context, now)
    // The same state, and something more to be done in it.
    const isMore = row.status === 'missing' && told.missing.some((code) => !row.missing.includes(code))
    const after = isMore && (await lockOnboarding(tx, company, id))
    if (after && after.status === 'missing') await tellTown(tx, context, after)
  })
  return true
}

function toldBy({ state, takesPayments, isPaidOut, missing, dueAt, why }: ProviderAccountStatus, askedAt: Date) {
  const wait = state === 'ready' ? LATER_MS : SOON_MS
  return {
    ...{
      told_state: state,
      takes_payments: takesPayments,
      is_paid_out: isPaidOut,
      missing: [...missing],
      due_at: dueAt,
    },
    ...{ why, asked_at: askedAt, ask_next_at: new Date(askedAt.getTime() + wait) },
  }
}

/** Asks again about those that are due, so that an event that was lost makes no difference. Answers how many were asked about. */
export async function askAgain(context: AppContext): Promise<number> {
  await enterChosen(context)
  const end = performance.now() + MAX_RUN_MS
  let asked = 0
  for (let more = true; more && performance.now() < end;) {
    const due = await takeDue(context)
    for (const { company_id, provider } of due) {
      const connected = findProvider(context.config, provider)
      if (!connected) continue
      // Before it is asked its next turn is written down: one that does not answer keeps no other waiting.
      const wasAsked = await learn(context, companyIdFrom('job', company_id), connected).catch((error: unknown) => {
        context.log.warn({ err: error, company: company_id, provider }, 'how a town stands could not be asked')
        return true
      })
      if (wasAsked) asked++
    }
    more = due.length === BATCH
  }
  return asked
}

/** Each town is entered for the provider that its payments go through. */
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

/** Takes those that are due, the longest first; whoever takes one puts its next turn off, so that two portals ask once. */
async function takeDue(context: AppContext): Promise<Pick<Onboarding, 'company_id' | 'provider'>[]> {
  const now = context.clock.now()
  const next = new Date(now.getTime() + SOON_MS)
  const connected = allProviders(context.config).map(({ name }) => name)
  const { rows } = await context.acrossCompanies((tx) =>
    sql<Pick<Onboarding, 'company_id' | 'provider'>>`
      UPDATE provider_onboarding o SET ask_next_at = ${next}
      FROM (SELECT company_id, id FROM provider_onboarding WHERE ask_next_at <= ${now} AND provider = ANY (${connected})
        ORDER BY ask_next_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED) due
      WHERE (o.company_id, o.id) = (due.company_id, due.id) RETURNING o.company_id, o.provider`.execute(tx),
  )
  return rows
}

export function defineOnboardingJobs(context: AppContext): void {
  context.jobs.define('onboarding.ask', async () => void (await askAgain(context)), {
    cron: '*/5 * * * *',
    retryLimit: 0,
  })
}

followAccounts(learn)
