import { sql } from 'kysely'
import { auditCompany, type Actor } from '../../../server/audit.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Company } from '../../../server/hosts.ts'
import { announce, announceCompanyChange } from '../../../server/live.ts'
import { companyIdFrom, type CompanyId, type Tx } from '../../../server/tenancy.ts'
import { calmMs, type OutagePeriod, RELAPSE_MS } from '../rules.ts'
import { forgetWhatIsOut } from './provider-calls.ts'
import { notifyOutage } from './emails.ts'

/** Job that carries out deferred payments. It is queued as soon as an outage ends. */
export const DEFERRED_PAYMENTS_JOB = 'payments.run_deferred'

/** Topic that notifies open staff screens of outages. */
export const OUTAGES = 'payments/outages'

const bySystem: Actor = { session: null, requestId: '', kind: 'system' }

export interface Outage {
  id: number
  company_id: CompanyId
  provider: string
  is_company_only: boolean
  since: Date
  until: Date | null
  calm_since: Date | null
  relapses: number
}

/** Lists the open outages of a provider, across all companies. */
export async function lastingOf(context: AppContext, provider: string): Promise<Outage[]> {
  const rows = await context.readingAll((tx) =>
    tx
      .selectFrom('payment_outage')
      .selectAll()
      .where('provider', '=', provider)
      .where('until', 'is', null)
      .orderBy('company_id')
      .execute(),
  )
  return rows.map((row) => ({ ...row, company_id: companyIdFrom('job', row.company_id) }))
}

/** Starts an outage for each company that uses this provider and has no open outage. */
export async function startOutages(
  context: AppContext,
  provider: string,
  { since, accounts }: OutagePeriod,
): Promise<void> {
  const accountCondition = accounts ? sql`a.account = ANY (${[...accounts]})` : sql`true`
  const { rows } = await context.readingAll((tx) =>
    sql<{ company_id: number }>`
      SELECT s.company_id FROM payment_settings s JOIN processor p ON p.id IN (s.processor_id, s.second_processor_id)
      LEFT JOIN provider_account a ON a.company_id = s.company_id AND a.provider = p.provider
      WHERE p.provider = ${provider} AND ${accountCondition} AND NOT EXISTS (SELECT FROM payment_outage o
        WHERE o.company_id = s.company_id AND o.provider = p.provider AND o.until IS NULL) ORDER BY 1`.execute(tx),
  )
  for (const { company_id } of rows)
    await eachCompany(context, company_id, (tx, companyRecord) =>
      startOutageIn(tx, context, companyRecord, { provider, since: new Date(since), isCompanyOnly: accounts !== null }),
    )
  forgetWhatIsOut(context)
}

interface OutageInput {
  provider: string
  since: Date
  isCompanyOnly: boolean
}

/**
 * Starts an outage. If the last outage just ended, reopens it, so that an unstable provider causes only one outage and
 * one email.
 */
async function startOutageIn(
  tx: Tx,
  context: AppContext,
  company: Company,
  { provider, since, isCompanyOnly }: OutageInput,
): Promise<void> {
  const now = context.clock.now()
  const { rows: again } = await sql<Outage>`
    UPDATE payment_outage o SET until = NULL, calm_since = NULL, relapses = relapses + 1
    WHERE o.company_id = ${company.id} AND o.id = (SELECT id FROM payment_outage WHERE company_id = ${company.id} AND provider = ${provider}
      AND until > ${new Date(since.getTime() - RELAPSE_MS)} ORDER BY until DESC LIMIT 1)
      AND NOT EXISTS (SELECT FROM payment_outage l WHERE l.company_id = ${company.id} AND l.provider = ${provider} AND l.until IS NULL)
    RETURNING *`.execute(tx)
  const created = again[0]
    ? undefined
    : await tx
        .insertInto('payment_outage')
        .values({ company_id: company.id, provider, is_company_only: isCompanyOnly, since, noticed_at: now })
        .onConflict((on) => on.columns(['company_id', 'provider']).where('until', 'is', null).doNothing())
        .returningAll()
        .executeTakeFirst()
  const outage = again[0] ?? created
  if (!outage) return
  const action = again[0] ? 'payment.outage_resumed' : 'payment.outage_began'
  await changed(tx, context, company, outage.id, { action, detail: { provider, since: outage.since.toISOString() } })
  if (created) await notifyOutage(tx, context, company, { provider, since, until: null })
}

/**
 * Records the result of a check of a provider in an outage.
 * @returns true if the outage has ended
 */
export async function noteCheck(context: AppContext, outage: Outage, isResponding: boolean): Promise<boolean> {
  const now = context.clock.now()
  const { calm_since: calm, relapses } = outage
  if (!isResponding || calm === null) {
    if (isResponding || calm !== null) await setCalm(context, outage, isResponding ? now : null)
    return false
  }
  if (now.getTime() - calm.getTime() < calmMs(relapses)) return false
  await eachCompany(context, outage.company_id, async (tx, companyRecord) => {
    // The outage ended when the provider first answered again.
    const { numUpdatedRows } = await tx
      .updateTable('payment_outage')
      .set({ until: calm })
      .where('company_id', '=', companyRecord.id)
      .where('id', '=', outage.id)
      .where('until', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return
    const { provider, since } = outage
    const detail = { provider, since: since.toISOString(), until: calm.toISOString() }
    await changed(tx, context, companyRecord, outage.id, { action: 'payment.outage_ended', detail })
    await context.jobs.enqueue(tx, DEFERRED_PAYMENTS_JOB, {})
    await notifyOutage(tx, context, companyRecord, { provider, since, until: calm })
  })
  forgetWhatIsOut(context)
  return true
}

const setCalm = (context: AppContext, { company_id, id }: Outage, calm_since: Date | null) =>
  context.inCompany(company_id, (tx) =>
    tx
      .updateTable('payment_outage')
      .set({ calm_since })
      .where('company_id', '=', company_id)
      .where('id', '=', id)
      .execute(),
  )

type Change = { action: 'payment.outage_began' | 'payment.outage_resumed' | 'payment.outage_ended'; detail: object }

/** Writes the audit entry, notifies open screens and clears cached pages. */
async function changed(
  tx: Tx,
  context: AppContext,
  company: Company,
  id: number,
  { action, detail }: Change,
): Promise<void> {
  const subject = { kind: 'payment_outage', id } as const
  await auditCompany(tx, context.clock, company.id, bySystem, { action, subject, detail: { ...detail } })
  await announce(tx, company.id, { topic: OUTAGES, id })
  await announceCompanyChange(tx)
}

async function eachCompany(
  context: AppContext,
  id: number,
  work: (tx: Tx, company: Company) => Promise<void>,
): Promise<void> {
  const company = companyIdFrom('job', id)
  await context.inCompany(company, async (tx) => {
    const companyRecord = await context.hosts.byId(company, tx)
    if (companyRecord) await work(tx, companyRecord)
  })
}
