import { sql } from 'kysely'
import type { AppContext } from '../app-context.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../tenancy.ts'
import { SmsRefused } from './provider.ts'
import { isOn, SEND_MANY, SEND_SMS, type SmsKind } from './queue.ts'
import { ask, HELD_MS, type Sms } from './send.ts'
import { readSmsSettings, senderOf, type SmsSettings } from './settings.ts'

/** What the provider did not take for now is asked for again after so long. */
const PAUSE_MS = 2000

/** What is left behind of texts that were queued together is sent by a job. */
export function defineSendMany(context: AppContext): void {
  context.jobs.define<{ company: number; ids: number[] }>(
    SEND_MANY,
    ({ company, ids }) => sendMany(context, companyIdFrom('job', company), ids),
    // What doesn't go at once goes on as a job of its own, so that little is tried again here.
    { retryLimit: 2 },
  )
}

/**
 * Hands over many texts of one town: held by one transaction, asked for side by side, noted by another. Whatever is not as simple
 * (it was asked for before, is refused, unwanted, or its receiver rests) goes on as a job of its own (`send.ts`), which is
 * where all of that is decided.
 */
export async function sendMany(context: AppContext, company: CompanyId, ids: readonly number[]): Promise<void> {
  const now = context.clock.now()
  const { held, others, later } = await context.inCompany(company, async (tx) => {
    const settings = await readSmsSettings(tx, company)
    const found = await hold(tx, company, { ids, now, settings })
    for (const id of found.others) await context.jobs.enqueue(tx, SEND_SMS, { company, id })
    if (found.later)
      await context.jobs.enqueue(tx, SEND_MANY, { company, ids: found.later.ids }, { after: found.later.after })
    return { ...found, held: found.held.map((sms) => ({ ...sms, from: senderOf(context.config, settings) })) }
  })
  if (held.length === 0 && others.length === 0 && !later) return

  const taken: { id: number; sid: string }[] = []
  const failed: { id: number; surely: boolean }[] = []
  /** The provider takes no more for now. */
  let full = false
  const waiting = [...held]
  const work = async () => {
    for (let sms = waiting.shift(); sms; sms = waiting.shift()) {
      if (full) {
        failed.push({ id: sms.id, surely: true })
        continue
      }
      try {
        taken.push({ id: sms.id, sid: await ask(context, company, sms) })
      } catch (error) {
        const isRefused = error instanceof SmsRefused
        full ||= isRefused && error.isOnlyNow
        // What was refused is surely not there, and is asked for once more by its own job, which knows what follows.
        failed.push({ id: sms.id, surely: isRefused })
      }
    }
  }
  await Promise.all(Array.from({ length: context.sms.atOnce }, work))

  await context.inCompany(company, async (tx) => {
    const sids = Object.fromEntries(taken.map(({ id, sid }) => [id, sid]))
    // Found by their numbers alone: a join would be planned by statistics, which know nothing yet of a hundred thousand new rows.
    await sql`
      UPDATE sms_message SET state = 'sent', provider_id = ${JSON.stringify(sids)}::jsonb ->> id::text, held_until = NULL
      WHERE company_id = ${company} AND id = ANY (${taken.map(({ id }) => id)}::bigint[]) AND state = 'waiting'`.execute(
      tx,
    )
    if (failed.length === 0) return
    const surely = failed.filter((one) => one.surely).map(({ id }) => id)
    await sql`
      UPDATE sms_message SET held_until = NULL, asked_at = CASE WHEN id = ANY (${surely}::bigint[]) THEN NULL ELSE asked_at END
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

/** Takes those in hand that may leave now, and says which need a look of their own, and which are not due yet. */
async function hold(tx: Tx, company: CompanyId, { ids, now, settings }: Holding) {
  const { rows: held } = await sql<ClaimedSms>`
    UPDATE sms_message s SET attempts = s.attempts + 1, asked_at = ${now}, held_until = ${new Date(now.getTime() + HELD_MS)}
    FROM (
      SELECT id FROM sms_message m
      WHERE m.company_id = ${company} AND m.id = ANY (${ids}::bigint[]) AND m.state = 'waiting' AND m.asked_at IS NULL
        AND m.send_after <= ${now} AND m.kind = ANY (${kinds.filter((kind) => isOn(settings, kind))}::text[])
      ORDER BY m.id FOR UPDATE SKIP LOCKED) free
    WHERE s.company_id = ${company} AND s.id = free.id
      AND NOT EXISTS (SELECT FROM sms_stop p WHERE p.company_id = ${company} AND p.phone = s.phone)
      AND NOT EXISTS (
        SELECT FROM refused_address f WHERE f.company_id = ${company} AND f.address = s.phone AND f.rests_until > ${now})
      AND (s.kind = 'account' OR EXISTS (
        SELECT FROM sms_number n
        WHERE n.company_id = ${company} AND n.person_id = s.person_id AND n.phone = s.phone AND n.confirmed_at IS NOT NULL))
    RETURNING s.id, s.phone, s.body`.execute(tx)
  const { rows: left } = await sql<{ id: number; send_after: Date }>`
    SELECT id, send_after FROM sms_message
    WHERE company_id = ${company} AND id = ANY (${ids}::bigint[]) AND state = 'waiting' AND NOT (id = ANY (${held.map(({ id }) => id)}::bigint[]))
      AND (held_until IS NULL OR held_until <= ${now}) ORDER BY id`.execute(tx)
  const early = left.filter(({ send_after }) => send_after > now)
  return {
    held: held.toSorted((one, other) => one.id - other.id),
    others: left.filter(({ send_after }) => send_after <= now).map(({ id }) => id),
    later: early[0] && { ids: early.map(({ id }) => id), after: early[0].send_after },
  }
}
