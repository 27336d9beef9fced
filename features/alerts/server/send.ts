import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { announceCompanyChange } from '../../../server/live.ts'
import { placeOf } from '../../../server/notices/notify.ts'
import { queueMany } from '../../../server/sms/queue.ts'
import { sendMany } from '../../../server/sms/send-many.ts'
import { readSmsSettings } from '../../../server/sms/settings.ts'
import { transition } from '../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../server/tenancy.ts'
import { isEmergency } from '../rules.ts'
import { type Alert, bySystem, heldAlert, keptAlerts, lockAlert } from './alerts.ts'
import { ALERT_EVENT, expand, expandNews } from './audience.ts'
import { endOlderCalls, queueAlertCalls, settleCalls } from './calls.ts'
import { mailOf, textWords } from './emails.ts'

export const SEND_ALERTS = 'alerts.send'

/** Keeps the public message of an alert as it is sent. `features/alerts/feature.ts` says how. */
export const issuer = {
  keep: async (_context: AppContext, _tx: Tx, _company: Company, _alert: Alert): Promise<void> => {},
}

/** How many are handed over in one transaction. Towns take turns between them. */
const BATCH = 100

/**
 * So many times as long as the database was busy with a batch, it is left to the pages before the next one: some four hundred
 * texts a second leave from two cores then, which is more than providers take of one number.
 */
const REST = 8

/** The alert of a town that is next, the gravest first; none where another job has it in hand. */
async function nextOf(tx: Tx, company: Company, now: Date): Promise<Alert | null> {
  const { rows } = await sql<{ id: number }>`
    SELECT a.id FROM alert a
    WHERE a.company_id = ${company.id} AND a.status IN ('scheduled', 'sending') AND coalesce(a.send_at, ${now}) <= ${now}
    ORDER BY array_position(ARRAY['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'], a.severity), a.id
    LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx)
  return rows[0] ? lockAlert(tx, company.id, rows[0].id) : null
}

/** Says whom it goes to. News moves the first alert in the same transaction, so that both say the same. */
async function start(tx: Tx, context: AppContext, company: Company, alert: Alert): Promise<void> {
  const now = context.clock.now()
  const people =
    alert.about_id === null
      ? await expand(tx, company.id, alert, now)
      : await expandNews(tx, company.id, alert.about_id, alert.id, now)
  const who = bySystem(context.clock)
  const place = company.id
  await transition(tx, keptAlerts, {
    ...{ place, id: alert.id, held: heldAlert(alert), event: 'begin', who },
    facts: { people, sent_at: now },
  })
  await issuer.keep(context, tx, company, await lockAlert(tx, place, alert.id))
  // Pages that are kept say what is in force.
  await announceCompanyChange(tx)
  if (alert.about_id === null) return
  const first = await lockAlert(tx, place, alert.about_id)
  await issuer.keep(context, tx, company, first)
  await endOlderCalls(tx, context, first)
  // It may be over by now.
  if (first.status !== 'sent' && first.status !== 'updated') return
  const event = ({ update: 'update', cancel: 'cancel', all_clear: 'end' } as const)[alert.kind as 'update']
  const facts = event === 'update' ? { expires_at: alert.expires_at } : {}
  await transition(tx, keptAlerts, { place, id: first.id, held: heldAlert(first), event, who, facts })
}

/** What a turn of a town put into the queues, by number. */
interface QueuedMessages {
  mails: number[]
  texts: number[]
  /** How long its letters were written, which is no work of the database. */
  writingMs: number
  /** More of the same alert waits. */
  isFull: boolean
}

/**
 * Hands some of an alert's mails, texts and calls to their queues, in the transaction that notes it: a job that is killed leaves
 * each either in the queue or to be handed over, and none in both.
 */
async function handOver(tx: Tx, context: AppContext, company: Company, alert: Alert): Promise<QueuedMessages> {
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
  const at = placeOf(context, company)
  const settings = await readSmsSettings(tx, company.id)
  const { type } = await tx
    .selectFrom('alert_service')
    .select('type')
    .where('company_id', '=', company.id)
    .where('id', '=', alert.service_id)
    .executeTakeFirstOrThrow()
  const kind = isEmergency(type, alert.severity) ? 'emergencies' : 'alerts'
  const toMail = rows.filter(({ channel }) => channel === 'email')
  const from = performance.now()
  const letters = toMail.map(({ address, language }) => mailOf(context, at, alert, address, language))
  const writingMs = performance.now() - from
  const mails = await context.mailer.sendMany(tx, company.id, letters)
  const said = { en: textWords(alert, at, 'en'), es: textWords(alert, at, 'es') }
  const texts = rows
    .filter(({ channel }) => channel === 'text')
    .map(({ address, person_id, language }) => ({ person: person_id, phone: address, words: said[language] }))
  const textIds = await queueMany(tx, context, { company, event: ALERT_EVENT, kind, texts }, settings)
  const toCall = rows.filter(({ channel }) => channel === 'call')
  const calls = await queueAlertCalls(tx, context, { company, alert, kind, settings }, toCall)
  const byDelivery = new Map([
    ...toMail.map(({ id }, at) => [id, mails[at]] as const),
    ...toCall.map(({ id }, at) => [id, calls[at]] as const),
  ])
  const messageOf = Object.fromEntries(
    rows.map(({ id, channel, address }) => [
      id,
      channel === 'text' ? (textIds.get(address) ?? null) : (byDelivery.get(id) ?? null),
    ]),
  )
  const message = sql`(${JSON.stringify(messageOf)}::jsonb ->> id::text)::bigint`
  // Found by their numbers alone: a join would be planned by statistics, which know nothing yet of a hundred thousand new rows.
  await sql`
    UPDATE alert_delivery SET message_id = ${message}, state = CASE WHEN ${message} IS NULL THEN 'stopped' ELSE 'waiting' END,
      reason = CASE WHEN ${message} IS NULL THEN 'same' ELSE '' END, at = ${context.clock.now()}
    WHERE company_id = ${company.id} AND id = ANY (${rows.map(({ id }) => id)}::bigint[])`.execute(tx)
  const queued = { mails, texts: [...textIds.values()], writingMs, isFull: rows.length === BATCH }
  if (queued.isFull) return queued
  const who = bySystem(context.clock)
  await transition(tx, keptAlerts, { place: company.id, id: alert.id, held: heldAlert(alert), event: 'finish', who })
  // What only says that another one is over is over itself.
  if (alert.kind === 'cancel' || alert.kind === 'all_clear')
    await transition(tx, keptAlerts, { place: company.id, id: alert.id, event: 'end', who })
  return queued
}

/** Sends all that is due, a batch of each town in turn, so that a large town keeps no small one waiting. */
export async function sendAlerts(context: AppContext): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    let worked = false
    let busyMs = 0
    for (const company_id of await townsWithAlerts(context, now)) {
      const id = companyIdFrom('job', company_id)
      const from = performance.now()
      const queued = await context.inCompany(id, async (tx): Promise<QueuedMessages | null> => {
        const town = await context.hosts.byId(id, tx)
        const alert = town && (await nextOf(tx, town, now))
        if (!town || !alert) return null
        if (alert.status !== 'scheduled') return handOver(tx, context, town, alert)
        await start(tx, context, town, alert)
        return { mails: [], texts: [], writingMs: 0, isFull: false }
      })
      if (!queued) continue
      worked = true
      if (queued.isFull) busyMs += performance.now() - from - queued.writingMs
      // They leave within the town's turn: what is queued never grows, and no town waits for another's thousands.
      await Promise.all([context.mailer.deliver(id, queued.mails), sendMany(context, id, queued.texts)])
    }
    if (!worked) return
    await pause(busyMs * REST)
  }
}

/** What became of a mail or a text is known for good after so many days. */
const SETTLED_DAYS = 4

/** Notes what the queues know by now. */
export async function settleDeliveries(context: AppContext): Promise<void> {
  const since = new Date(context.clock.now().getTime() - SETTLED_DAYS * 86_400_000)
  await context.acrossCompanies(async (tx) => {
    await sql`
      UPDATE alert_delivery d SET state = m.state, reason = m.reason
      FROM alert_delivery open JOIN LATERAL (
        SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN last_error = 'rests' THEN 'resting' ELSE 'failed' END AS state,
          CASE WHEN sent_at IS NULL THEN coalesce(last_error, '') ELSE '' END AS reason
        FROM mail_outbox o WHERE o.company_id = open.company_id AND o.id = open.message_id
          AND (o.sent_at IS NOT NULL OR o.failed_at IS NOT NULL)) m ON true
      WHERE open.state = 'waiting' AND open.at > ${since} AND open.channel = 'email'
        AND d.company_id = open.company_id AND d.id = open.id`.execute(tx)
    await sql`
      UPDATE alert_delivery d SET state = s.state, reason = s.reason
      FROM alert_delivery open JOIN sms_message s ON s.company_id = open.company_id AND s.id = open.message_id
      WHERE open.state IN ('waiting', 'sent', 'unclear') AND open.at > ${since} AND open.channel = 'text' AND s.state <> open.state
        AND d.company_id = open.company_id AND d.id = open.id`.execute(tx)
    await settleCalls(tx, since)
  })
}

/** Ends what is in force until a moment that is past. */
export async function endAlerts(context: AppContext): Promise<void> {
  const now = context.clock.now()
  const over = await context.acrossCompanies((tx) =>
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
  for (const { company_id, id } of over) {
    const place = companyIdFrom('job', company_id)
    await context.inCompany(place, async (tx) => {
      const row = await lockAlert(tx, place, id)
      if ((row.status === 'sent' || row.status === 'updated') && row.expires_at <= now)
        await transition(tx, keptAlerts, {
          place,
          id,
          held: heldAlert(row),
          event: 'end',
          who: bySystem(context.clock),
        })
      await announceCompanyChange(tx)
    })
  }
}

/** The towns that have something to send. */
async function townsWithAlerts(context: AppContext, now: Date): Promise<number[]> {
  const { rows } = await context.acrossCompanies((tx) =>
    sql<{ company_id: number }>`
      SELECT DISTINCT company_id FROM alert WHERE status IN ('scheduled', 'sending') AND coalesce(send_at, ${now}) <= ${now}
      ORDER BY company_id`.execute(tx),
  )
  return rows.map(({ company_id }) => company_id)
}

/**
 * At once where a call says that one is due. Each minute somebody looks whether anything is, so that what a killed process left
 * goes on soon: that look is short, since a second one has to wait until the first, or its time, is over.
 */
export function defineAlertJobs(context: AppContext): void {
  context.jobs.define(SEND_ALERTS, () => sendAlerts(context), { timeoutSeconds: 3600 })
  context.jobs.define(
    'alerts.look',
    async () => {
      if ((await townsWithAlerts(context, context.clock.now())).length > 0)
        await context.outside((tx) => context.jobs.enqueue(tx, SEND_ALERTS, {}))
      await settleDeliveries(context)
      await endAlerts(context)
    },
    { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 120 },
  )
}
