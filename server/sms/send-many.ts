import { sql } from 'kysely'
import type { AppContext } from '../app-context.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../tenancy.ts'
import { SmsRefused } from './provider.ts'
import { isOn, SEND_MANY, SEND_SMS, type SmsKind } from './queue.ts'
import { sendSms, CLAIM_MS, type Sms } from './send.ts'
import { readSmsSettings, senderOf, type SmsSettings } from './settings.ts'

/** Delay before another attempt if the provider limits the rate, in milliseconds. */
const PAUSE_MS = 2000

/** Defines the job that sends the remaining text messages of a queued group. */
export function defineSendMany(context: AppContext): void {
  context.jobs.define<{ company: number; ids: number[] }>(
    SEND_MANY,
    ({ company, ids }) => sendMany(context, companyIdFrom('job', company), ids),
    // Needs few retries, because each message that fails is sent again by a separate job.
    { retryLimit: 2 },
  )
}

/**
 * Sends many text messages of one company. One transaction claims them, parallel requests send them, and another
 * transaction saves the results. Special cases get a separate job (`send.ts`): messages sent before, refused, unwanted,
 * or to a paused number.
 */
export async function sendMany(context: AppContext, company: CompanyId, ids: readonly number[]): Promise<void> {
  const now = context.clock.now()
  const { claimed, others, later } = await context.inCompany(company, async (tx) => {
    const settings = await readSmsSettings(tx, company)
    const batch = await claimSmsBatch(tx, company, { ids, now, settings })
    for (const id of batch.others) await context.jobs.enqueue(tx, SEND_SMS, { company, id })
    if (batch.later)
      await context.jobs.enqueue(tx, SEND_MANY, { company, ids: batch.later.ids }, { after: batch.later.after })
    return { ...batch, claimed: batch.claimed.map((sms) => ({ ...sms, from: senderOf(context.config, settings) })) }
  })
  if (claimed.length === 0 && others.length === 0 && !later) return

  const accepted: { id: number; sid: string }[] = []
  const failed: { id: number; surely: boolean }[] = []
  /** True if the provider accepts no more messages for now. */
  let full = false
  const queue = [...claimed]
  const work = async () => {
    for (let sms = queue.shift(); sms; sms = queue.shift()) {
      if (full) {
        failed.push({ id: sms.id, surely: true })
        continue
      }
      try {
        accepted.push({ id: sms.id, sid: await sendSms(context, company, sms) })
      } catch (error) {
        const isRefused = error instanceof SmsRefused
        full ||= isRefused && error.isOnlyNow
        // The provider refused the message, so it certainly never arrived. A separate job retries it and handles the
        // result.
        failed.push({ id: sms.id, surely: isRefused })
      }
    }
  }
  await Promise.all(Array.from({ length: context.sms.atOnce }, work))

  await context.inCompany(company, async (tx) => {
    const sids = Object.fromEntries(accepted.map(({ id, sid }) => [id, sid]))
    // Finds the rows only by id. For a hundred thousand new rows, the planner has no statistics yet and would choose a
    // slow plan for a join.
    await sql`
      UPDATE sms_message SET state = 'sent', provider_id = ${JSON.stringify(sids)}::jsonb ->> id::text, held_until = NULL
      WHERE company_id = ${company} AND id = ANY (${accepted.map(({ id }) => id)}::bigint[]) AND state = 'waiting'`.execute(
      tx,
    )
    if (failed.length === 0) return
    const surely = failed.filter((one) => one.surely).map(({ id }) => id)
    await sql`
      UPDATE sms_message SET held_until = NULL, requested_at = CASE WHEN id = ANY (${surely}::bigint[]) THEN NULL ELSE requested_at END
      WHERE company_id = ${company} AND id = ANY (${failed.map(({ id }) => id)}::bigint[]) AND state = 'waiting'`.execute(
      tx,
    )
    const after = new Date(now.getTime() + PAUSE_MS)
    if (full) await context.jobs.enqueue(tx, SEND_MANY, { company, ids: failed.map(({ id }) => id) }, { after })
    else for (const { id } of failed) await context.jobs.enqueue(tx, SEND_SMS, { company, id })
  })
}

type ClaimedSms = Pick<Sms, 'id' | 'phone' | 'body'>

interface Holding {
  ids: readonly number[]
  now: Date
  settings: SmsSettings
}

const kinds = ['account', 'payments', 'conversations', 'alerts', 'emergencies'] as const satisfies SmsKind[]

/**
 * Claims the text messages that may be sent now. Returns them, the messages that need a separate job, and the messages
 * that are not yet due.
 */
async function claimSmsBatch(tx: Tx, company: CompanyId, { ids, now, settings }: Holding) {
  const { rows: claimed } = await sql<ClaimedSms>`
    UPDATE sms_message s SET attempts = s.attempts + 1, requested_at = ${now}, held_until = ${new Date(now.getTime() + CLAIM_MS)}
    FROM (
      SELECT id FROM sms_message m
      WHERE m.company_id = ${company} AND m.id = ANY (${ids}::bigint[]) AND m.state = 'waiting' AND m.requested_at IS NULL
        AND m.send_after <= ${now} AND m.kind = ANY (${kinds.filter((kind) => isOn(settings, kind))}::text[])
      ORDER BY m.id FOR UPDATE SKIP LOCKED) free
    WHERE s.company_id = ${company} AND s.id = free.id
      AND NOT EXISTS (SELECT FROM sms_opt_out p WHERE p.company_id = ${company} AND p.phone = s.phone)
      AND NOT EXISTS (
        SELECT FROM refused_address f WHERE f.company_id = ${company} AND f.address = s.phone AND f.rests_until > ${now})
      AND (s.kind = 'account' OR EXISTS (
        SELECT FROM sms_number n
        WHERE n.company_id = ${company} AND n.person_id = s.person_id AND n.phone = s.phone AND n.confirmed_at IS NOT NULL))
    RETURNING s.id, s.phone, s.body`.execute(tx)
  const { rows: left } = await sql<{ id: number; send_after: Date }>`
    SELECT id, send_after FROM sms_message
    WHERE company_id = ${company} AND id = ANY (${ids}::bigint[]) AND state = 'waiting' AND NOT (id = ANY (${claimed.map(({ id }) => id)}::bigint[]))
      AND (held_until IS NULL OR held_until <= ${now}) ORDER BY id`.execute(tx)
  const early = left.filter(({ send_after }) => send_after > now)
  return {
    claimed: claimed.toSorted((one, other) => one.id - other.id),
    others: left.filter(({ send_after }) => send_after <= now).map(({ id }) => id),
    later: early[0] && { ids: early.map(({ id }) => id), after: early[0].send_after },
  }
}
