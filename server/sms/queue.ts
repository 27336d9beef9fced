import { sql } from 'kysely'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../tenancy.ts'
import { endOfQuiet } from './quiet-hours.ts'
import { isPreview } from '../current-preview.ts'
import { readSmsSettings, type SmsSettings, textName } from './settings.ts'
import { readyToSend } from './texts.ts'

export const SEND_SMS = 'sms.send'
/** Name of the job that sends a company's text messages that were queued together. */
export const SEND_MANY = 'sms.send-many'

/**
 * Kinds of text messages. Companies can turn off `payments` and `conversations`. `account` is for messages that the
 * person just requested, such as a code. `account` and `emergencies` ignore quiet hours. The other kinds, such as
 * `alerts`, wait until quiet hours end.
 */
export type SmsKind = 'account' | 'payments' | 'conversations' | 'alerts' | 'emergencies'

interface Sms {
  company: Company
  person: number
  event: string
  kind: SmsKind
  body: string
  /** Identical messages within this time are sent once. */
  waitSeconds?: number
}

/**
 * Queues a text message to a resident who agreed to receive text messages. After the caller's transaction, a job checks
 * whether the resident still wants the message, and sends it.
 */
export async function textResident(tx: Tx, context: AppContext, sms: Sms): Promise<void> {
  const number = await tx
    .selectFrom('sms_number')
    .select('phone')
    .where('company_id', '=', sms.company.id)
    .where('person_id', '=', sms.person)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  if (!number || isPreview()) return
  const settings = await readSmsSettings(tx, sms.company.id)
  if (isOn(settings, sms.kind)) await queueSms(tx, context, { ...sms, phone: number.phone }, settings)
}

export const isOn = (settings: SmsSettings, kind: SmsKind): boolean =>
  (kind !== 'payments' && kind !== 'conversations') || settings[kind] === 1

/**
 * Queues a text message.
 * @returns the id of the message. Null if an identical message is already waiting for this phone
 */
export async function queueSms(
  tx: Tx,
  context: AppContext,
  { company, person, phone, event, kind, body, waitSeconds = 0 }: Sms & { phone: string },
  settings: SmsSettings,
): Promise<number | null> {
  const now = context.clock.now()
  const send_after = earliestSendTime(new Date(now.getTime() + waitSeconds * 1000), company, kind, settings)
  const added = await tx
    .insertInto('sms_message')
    .values({
      company_id: company.id,
      event,
      kind,
      phone,
      person_id: person,
      ...readyToSend(`${textName(company, settings)}: ${body}`),
      created_at: now,
      send_after,
    })
    // Skips the message, because an identical message is waiting.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await context.jobs.enqueue(tx, SEND_SMS, { company: company.id, id: added.id }, { after: send_after })
  return added?.id ?? null
}

/** Returns the earliest time at which a message of this kind may be sent: `then`, or the end of the quiet hours. */
export const earliestSendTime = (then: Date, { timeZone }: Company, kind: SmsKind, settings: SmsSettings): Date =>
  kind === 'account' || kind === 'emergencies'
    ? then
    : (endOfQuiet(then, timeZone, { from: settings.quiet_from, to: settings.quiet_to }) ?? then)

interface ManySms extends Pick<Sms, 'company' | 'event' | 'kind'> {
  /** Messages to queue, at most one for each phone. */
  texts: readonly { person: number; phone: string; body: string }[]
}

/** Time that the caller has to send queued text messages, in seconds. After this time, a job sends the rest. */
const STALE_SECONDS = 120

/**
 * Queues many text messages in one statement. The caller may send them after the commit (`sendMany`). After a crash or
 * quiet hours, a job sends the rest.
 * @returns The message id for each phone. Omits phones for which an identical message is waiting
 */
export async function queueMany(
  tx: Tx,
  context: AppContext,
  { company, event, kind, texts }: ManySms,
  settings: SmsSettings,
): Promise<Map<string, number>> {
  const now = context.clock.now()
  const send_after = earliestSendTime(now, company, kind, settings)
  const ready = new Map<string, ReturnType<typeof readyToSend>>()
  const readyOf = (text: string) => {
    const cached = ready.get(text) ?? readyToSend(`${textName(company, settings)}: ${text}`)
    ready.set(text, cached)
    return cached
  }
  const all = texts.map(({ person, phone, body }) => ({ person, phone, ...readyOf(body) }))
  const { rows } = await sql<{ id: number; phone: string }>`
    INSERT INTO sms_message (company_id, event, kind, phone, person_id, body, segments, created_at, send_after)
    SELECT ${company.id}, ${event}, ${kind}, t.phone, t.person, t.body, t.segments, ${now}, ${send_after}
    FROM unnest(${all.map(({ phone }) => phone)}::text[], ${all.map(({ person }) => person)}::bigint[], ${all.map(({ body }) => body)}::text[],
      ${all.map(({ segments }) => segments)}::int[]) AS t (phone, person, body, segments)
    ON CONFLICT DO NOTHING RETURNING id, phone`.execute(tx)
  if (rows.length > 0) {
    const staleBefore = new Date(now.getTime() + STALE_SECONDS * 1000)
    const after = send_after > now ? send_after : staleBefore
    await context.jobs.enqueue(tx, SEND_MANY, { company: company.id, ids: rows.map(({ id }) => id) }, { after })
  }
  return new Map(rows.map(({ id, phone }) => [phone, id]))
}
