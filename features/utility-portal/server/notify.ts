import { sql } from 'kysely'
import { eachSeparately } from '../../../server/each-separately.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { notify } from '../../../server/notices/notify.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { isOn } from '../../../server/modules.ts'
import { addDays } from '../../../shared/dates.ts'
import { companiesWithUpdates, takeUpdates, takeShutoffStep } from '../../utility-accounts/api.ts'
import { usageAlertReason } from '../rules.ts'
import { notifyWatchers } from './watchers.ts'
import { newBill, shutoffNotice, unusualUseNotice } from './notices.ts'

/** Maximum number of queue entries in one transaction. */
const BATCH = 200

/**
 * Defines the job that notifies people of imported data. The import itself only queues the updates, because an import
 * from the command line cannot send email.
 */
export function defineNotifyJob(context: AppContext): void {
  context.jobs.define('utility.notify', () => notifyOfBill(context), { cron: '* * * * *', retryLimit: 0 })
}

async function notifyOfBill(context: AppContext): Promise<void> {
  const companies = await context.readingAll(companiesWithUpdates)
  await eachSeparately(context, companies, async ({ company_id }) => {
    const company = companyIdFrom('job', company_id)
    const companyRecord = await context.hosts.byId(company)
    if (!companyRecord || !isOn(companyRecord, 'utilities')) return
    let notifiedCount = BATCH
    while (notifiedCount === BATCH)
      notifiedCount = await context.inCompany(company, (tx) => notifySome(tx, context, companyRecord))
  })
}

/**
 * Notifies people and deletes the queue entries in one transaction. Each notice is sent exactly once, even after a
 * crash.
 */
async function notifySome(tx: Tx, context: AppContext, company: Company): Promise<number> {
  const updates = await takeUpdates(tx, company.id, BATCH)
  for (const one of updates) {
    if (one.bill_number !== null) await notifyBill(tx, context, company, one.account_id, one.bill_number)
    if (one.read_date !== null) await notifyUsage(tx, context, company, one.account_id, one.read_date)
    if (one.shutoff_number !== null) await notifyShutoff(tx, context, company, one.shutoff_number)
  }
  return updates.length
}

interface Holder {
  person_id: number
  email: string
  full_name: string
  /** Nickname of the account for this person. */
  name: string
  usage_limit: number | null
  away_from: string | null
  away_until: string | null
  also_to: string
}

/** Finds people who linked the account and confirmed their email. Only these people are notified. */
async function holdersOf(tx: Tx, { id }: Company, account: number): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    SELECT p.id AS person_id, p.email, trim(p.first_name || ' ' || p.last_name) AS full_name,
      coalesce(nullif(l.nickname, ''), a.account_number) AS name, l.usage_limit, l.away_from, l.away_until, l.also_to
    FROM linked_account l JOIN person p ON p.company_id = l.company_id AND p.id = l.person_id
    JOIN utility_account a ON a.company_id = l.company_id AND a.id = l.account_id
    WHERE l.company_id = ${id} AND l.account_id = ${account} AND p.email_confirmed_at IS NOT NULL
    ORDER BY p.id`.execute(tx)
  return rows
}

async function notifyBill(
  tx: Tx,
  context: AppContext,
  company: Company,
  account: number,
  number: string,
): Promise<void> {
  const { rows } = await sql<{ amount_cents: number; due_date: string }>`
    SELECT b.amount_cents, b.due_date FROM utility_bill b JOIN utility_account a ON a.company_id = b.company_id AND a.id = b.account_id
    WHERE b.company_id = ${company.id} AND b.account_id = ${account} AND b.bill_number = ${number} AND a.paperless_since IS NOT NULL`.execute(
    tx,
  )
  const [bill] = rows
  if (!bill) return
  for (const { email, name } of await holdersOf(tx, company, account)) {
    const data = { account, name, number, amountCents: bill.amount_cents, dueDate: bill.due_date }
    await notify(tx, context, { at: company, to: email, notice: newBill, data })
  }
}

/**
 * Notifies people of the current shutoff status, once for each step and day. Reports the end of a shutoff only if
 * people were notified of an earlier step.
 */
async function notifyShutoff(tx: Tx, context: AppContext, company: Company, number: string): Promise<void> {
  const steps = await takeShutoffStep(tx, company.id, number)
  for (const { account_id: account, state, on, amountCents } of steps) {
    const holders = await holdersOf(tx, company, account)
    const notified = new Set(holders.map(({ email }) => email.toLowerCase()))
    await notifyWatchers(tx, context, company, account, { state, on, notified })
    for (const { email, name } of holders) {
      const data = { account, name, state, on, amountCents, phone: company.phone }
      await notify(tx, context, { at: company, to: email, notice: shutoffNotice, data })
    }
  }
}

/**
 * Sends usage alerts for the readings of one day, summed across meters with the same unit. Notifies people if the usage
 * exceeds their limit or occurs during their reported absence, and also notifies their second recipients. Each person
 * receives at most one email per unit.
 */
async function notifyUsage(tx: Tx, context: AppContext, company: Company, account: number, day: string): Promise<void> {
  const { rows } = await sql<{ unit: string; used: number; days: number }>`
    SELECT unit, sum(used) AS used, max(days) AS days FROM meter_reading
    WHERE company_id = ${company.id} AND account_id = ${account} AND read_date = ${day}::date GROUP BY unit`.execute(tx)
  const holders = await holdersOf(tx, company, account)
  const at = { at: company, notice: unusualUseNotice }
  for (const { unit, used, days } of rows) {
    const alerts = holders.flatMap((holder) => {
      const why = usageAlertReason(holder, { used, from: addDays(day, 1 - days), until: day })
      if (!why) return []
      const { name, usage_limit: limit } = holder
      return [{ holder, data: { account, name, why, used, unit, days, until: day, limit, requestedBy: null } }]
    })
    // Notifies people with a linked account first. A second recipient who is one of them gets only the email with the
    // settings link.
    const notified = new Set(alerts.map(({ holder }) => holder.email.toLowerCase()))
    for (const { holder, data } of alerts)
      await notify(tx, context, { ...at, to: holder.email, person: holder.person_id, data })
    for (const { holder, data } of alerts) {
      const other = holder.also_to.toLowerCase()
      if (!other || notified.has(other)) continue
      notified.add(other)
      await notify(tx, context, { ...at, to: holder.also_to, data: { ...data, requestedBy: holder.full_name } })
    }
  }
}
