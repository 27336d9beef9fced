import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import { noticeSenderOf } from '../../../server/notices/notify.ts'
import { queueMany } from '../../../server/sms/queue.ts'
import { sendMany } from '../../../server/sms/send-many.ts'
import { readSmsSettings } from '../../../server/sms/settings.ts'
import { transition } from '../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { whereOn } from '../../../server/modules.ts'
import { isEmergency } from '../rules.ts'
import { type Alert, bySystem, lockedAlert, alertStateStore, lockAlert } from './alerts.ts'
import { ALERT_EVENT, saveRecipients, saveFollowUpRecipients } from './audience.ts'
import { endOlderCalls, queueAlertCalls, finishCalls } from './calls.ts'
import { emailFor, smsText } from './emails.ts'

export const SEND_ALERTS = 'alerts.send'

/**
 * Function that stores the public CAP message of a sent alert. `features/alerts/feature.ts` sets the implementation.
 */
export const capStore = {
  keep: async (_context: AppContext, _tx: Tx, _company: Company, _alert: Alert): Promise<void> => {},
}

/** Number of deliveries queued in one transaction. Companies take turns between batches. */
const BATCH = 100

/**
 * Pause between batches, as a multiple of the database time of the last batch. The pause leaves database capacity for
 * page requests. Two cores then send about 400 text messages a second. Providers accept fewer text messages from one
 * number.
 */
const REST = 8

/** Locks the next due alert of a company, most severe first. Null if none is due or another job has locked it. */
async function lockNextDue(tx: Tx, company: Company, now: Date): Promise<Alert | null> {
  const { rows } = await sql<{ id: number }>`
    SELECT a.id FROM alert a
    WHERE a.company_id = ${company.id} AND a.status IN ('scheduled', 'sending') AND coalesce(a.send_at, ${now}) <= ${now}
    ORDER BY array_position(ARRAY['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'], a.severity), a.id
    LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx)
  return rows[0] ? lockAlert(tx, company.id, rows[0].id) : null
}

/** Saves the recipients. A follow-up changes the first alert in the same transaction, so that their states match. */
async function start(tx: Tx, context: AppContext, company: Company, alert: Alert): Promise<void> {
  const now = context.clock.now()
  const people =
    alert.about_id === null
      ? await saveRecipients(tx, company.id, alert, now)
      : await saveFollowUpRecipients(tx, company.id, alert.about_id, alert.id, now)
  const actor = bySystem(context.clock)
  const companyId = company.id
  await transition(tx, alertStateStore, {
    ...{ scope: companyId, id: alert.id, locked: lockedAlert(alert), event: 'start', actor },
    patch: { people, sent_at: now },
  })
  await capStore.keep(context, tx, company, await lockAlert(tx, companyId, alert.id))
  // Cached pages contain the alerts in force, so they must be updated.
  await announceCompanyChange(tx)
  if (alert.about_id === null) return
  const first = await lockAlert(tx, companyId, alert.about_id)
  await capStore.keep(context, tx, company, first)
  await endOlderCalls(tx, context, first)
  // If the first alert has already ended, the follow-up changes no state.
  if (first.status !== 'sent' && first.status !== 'updated') return
  const event = ({ update: 'update', cancel: 'cancel', all_clear: 'end' } as const)[alert.kind as 'update']
  const patch = event === 'update' ? { expires_at: alert.expires_at } : {}
  await transition(tx, alertStateStore, {
    scope: companyId,
    id: first.id,
    locked: lockedAlert(first),
    event,
    actor,
    patch,
  })
}

/** Message ids queued in one turn of a company. */
interface QueuedMessages {
  outgoingEmails: number[]
  texts: number[]
  /** Time spent building emails, which does not use the database. */
  writingMs: number
  /** True if the batch is full. More deliveries of the alert may then wait. */
  isFull: boolean
}

/**
 * Queues a batch of an alert's emails, text messages and calls, and records it in the same transaction. If the job is
 * killed, each delivery is either queued or still waiting, never both.
 */
async function queueMessages(tx: Tx, context: AppContext, company: Company, alert: Alert): Promise<QueuedMessages> {
  const { rows } = await sql<{
    id: number
    channel: string
    address: string
    person_id: number
    language: 'en' | 'es'
  }>`
    SELECT id, channel, address, person_id, language FROM alert_delivery
    WHERE company_id = ${company.id} AND alert_id = ${alert.id} AND state = 'queued' ORDER BY id LIMIT ${BATCH}`.execute(
    tx,
  )
  const at = noticeSenderOf(context, company)
  const settings = await readSmsSettings(tx, company.id)
  const { type } = await tx
    .selectFrom('alert_service')
    .select('type')
    .where('company_id', '=', company.id)
    .where('id', '=', alert.service_id)
    .executeTakeFirstOrThrow()
  const kind = isEmergency(type, alert.severity) ? 'emergencies' : 'alerts'
  const toEmail = rows.filter(({ channel }) => channel === 'email')
  const from = performance.now()
  const emails = toEmail.map(({ address, language }) => emailFor(context, at, alert, address, language))
  const writingMs = performance.now() - from
  const outgoingEmails = await context.mailer.sendMany(tx, company.id, emails)
  const smsTexts = { en: smsText(alert, at, 'en'), es: smsText(alert, at, 'es') }
  const texts = rows
    .filter(({ channel }) => channel === 'text')
    .map(({ address, person_id, language }) => ({ person: person_id, phone: address, body: smsTexts[language] }))
  const textIds = await queueMany(tx, context, { company, event: ALERT_EVENT, kind, texts }, settings)
  const toCall = rows.filter(({ channel }) => channel === 'call')
  const calls = await queueAlertCalls(tx, context, { company, alert, kind, settings }, toCall)
  const byDelivery = new Map([
    ...toEmail.map(({ id }, at) => [id, outgoingEmails[at]] as const),
    ...toCall.map(({ id }, at) => [id, calls[at]] as const),
  ])
  const messageOf = Object.fromEntries(
    rows.map(({ id, channel, address }) => [
      id,
      channel === 'text' ? (textIds.get(address) ?? null) : (byDelivery.get(id) ?? null),
    ]),
  )
  const message = sql`(${JSON.stringify(messageOf)}::jsonb ->> id::text)::bigint`
  // Selects by ids only. PostgreSQL's statistics do not include the many new rows yet, so a join would get a slow plan.
  await sql`
    UPDATE alert_delivery SET message_id = ${message}, state = CASE WHEN ${message} IS NULL THEN 'stopped' ELSE 'waiting' END,
      reason = CASE WHEN ${message} IS NULL THEN 'same' ELSE '' END, at = ${context.clock.now()}
    WHERE company_id = ${company.id} AND id = ANY (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  const queued = { outgoingEmails, texts: [...textIds.values()], writingMs, isFull: rows.length === BATCH }
  if (queued.isFull) return queued
  const actor = bySystem(context.clock)
  await transition(tx, alertStateStore, {
    scope: company.id,
    id: alert.id,
    locked: lockedAlert(alert),
    event: 'finish',
    actor,
  })
  // A cancellation or an all-clear ends as soon as it is sent.
  if (alert.kind === 'cancel' || alert.kind === 'all_clear')
    await transition(tx, alertStateStore, { scope: company.id, id: alert.id, event: 'end', actor })
  return queued
}

/** Sends all due alerts. Companies take turns after each batch, so that large companies do not delay small ones. */
export async function sendAlerts(context: AppContext): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    let worked = false
    let busyMs = 0
    for (const company_id of await companiesWithAlerts(context, now)) {
      const id = companyIdFrom('job', company_id)
      const from = performance.now()
      const queued = await context.inCompany(id, async (tx): Promise<QueuedMessages | null> => {
        const company = await context.hosts.byId(id, tx)
        const alert = company && (await lockNextDue(tx, company, now))
        if (!company || !alert) return null
        if (alert.status !== 'scheduled') return queueMessages(tx, context, company, alert)
        await start(tx, context, company, alert)
        return { outgoingEmails: [], texts: [], writingMs: 0, isFull: false }
      })
      if (!queued) continue
      worked = true
      if (queued.isFull) busyMs += performance.now() - from - queued.writingMs
      // Sends the queued messages within the company's turn. The queue stays short, so no company waits for thousands
      // of another company's messages.
      await Promise.all([context.mailer.deliver(id, queued.outgoingEmails), sendMany(context, id, queued.texts)])
    }
    if (!worked) return
    await pause(busyMs * REST)
  }
}

/** Number of days after which the result of an email or text message is final. */
const FINAL_AFTER_DAYS = 4

/** Copies delivery results from the queues. */
export async function finishDeliveries(context: AppContext): Promise<void> {
  const since = new Date(context.clock.now().getTime() - FINAL_AFTER_DAYS * 86_400_000)
  await context.acrossCompanies(async (tx) => {
    await sql`
      UPDATE alert_delivery d SET state = m.state, reason = m.reason
      FROM alert_delivery open JOIN LATERAL (
        SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN last_error = 'rests' THEN 'resting' ELSE 'failed' END AS state,
          CASE WHEN sent_at IS NULL THEN coalesce(last_error, '') ELSE '' END AS reason
        FROM email_outbox o WHERE o.company_id = open.company_id AND o.id = open.message_id
          AND (o.sent_at IS NOT NULL OR o.failed_at IS NOT NULL)) m ON true
      WHERE open.state = 'waiting' AND open.at > ${since} AND open.channel = 'email'
        AND d.company_id = open.company_id AND d.id = open.id`.execute(tx)
    await sql`
      UPDATE alert_delivery d SET state = s.state, reason = s.reason
      FROM alert_delivery open JOIN sms_message s ON s.company_id = open.company_id AND s.id = open.message_id
      WHERE open.state IN ('waiting', 'sent', 'unclear') AND open.at > ${since} AND open.channel = 'text' AND s.state <> open.state
        AND d.company_id = open.company_id AND d.id = open.id`.execute(tx)
    await finishCalls(tx, since)
  })
}

export async function endAlerts(context: AppContext): Promise<void> {
  const now = context.clock.now()
  const expired = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('alert')
      .select(['company_id', 'id'])
      .where('status', 'in', ['sent', 'updated'])
      .where('expires_at', '<=', now)
      .orderBy('company_id')
      .orderBy('id')
      .limit(500)
      .execute(),
  )
  for (const { company_id, id } of expired) {
    const companyId = companyIdFrom('job', company_id)
    await context.inCompany(companyId, async (tx) => {
      const row = await lockAlert(tx, companyId, id)
      if ((row.status === 'sent' || row.status === 'updated') && row.expires_at <= now)
        await transition(tx, alertStateStore, {
          scope: companyId,
          id,
          locked: lockedAlert(row),
          event: 'end',
          actor: bySystem(context.clock),
        })
      await announceCompanyChange(tx)
    })
  }
}

async function companiesWithAlerts(context: AppContext, now: Date): Promise<number[]> {
  const { rows } = await context.acrossCompanies((tx) =>
    sql<{ company_id: number }>`
      SELECT DISTINCT company_id FROM alert
      WHERE (status = 'sending' OR status = 'scheduled' AND ${whereOn('alerts')}) AND coalesce(send_at, ${now}) <= ${now}
      ORDER BY company_id`.execute(tx),
  )
  return rows.map(({ company_id }) => company_id)
}

/**
 * Defines the alert jobs. The send job starts immediately after staff send an alert. A check each minute restarts it
 * after a crash. The check must be short, because the next check waits until it ends or times out.
 */
export function defineAlertJobs(context: AppContext): void {
  context.jobs.define(SEND_ALERTS, () => sendAlerts(context), { timeoutSeconds: 3600 })
  context.jobs.define(
    'alerts.finish',
    async () => {
      if ((await companiesWithAlerts(context, context.clock.now())).length > 0)
        await context.outside((tx) => context.jobs.enqueue(tx, SEND_ALERTS, {}))
      await finishDeliveries(context)
      await endAlerts(context)
    },
    { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 120 },
  )
}
