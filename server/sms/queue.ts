import { sql } from 'kysely'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import type { Tx } from '../tenancy.ts'
import { endOfQuiet } from './quiet-hours.ts'
import { readSmsSettings, type SmsSettings, textName } from './settings.ts'
import { readyToSend } from './words.ts'

export const SEND_SMS = 'sms.send'
/** Texts of one town that were queued together. */
export const SEND_MANY = 'sms.send-many'

/**
 * What a town turns on and off: payments and conversations. `account`: somebody asked for it just now, as for a code.
 * `alerts` wait for the end of the quiet hours, `emergencies` for nothing.
 */
export type SmsKind = 'account' | 'payments' | 'conversations' | 'alerts' | 'emergencies'

interface Sms {
  company: Company
  person: number
  event: string
  kind: SmsKind
  words: string
  /** So that the same, told twice within this time, falls together. */
  waitSeconds?: number
}

/** Texts a resident who agreed to it, after the caller's transaction. Whether it may be sent is decided when it leaves. */
export async function textResident(tx: Tx, context: AppContext, sms: Sms): Promise<void> {
  const number = await tx
    .selectFrom('sms_number')
    .select('phone')
    .where('company_id', '=', sms.company.id)
    .where('person_id', '=', sms.person)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  if (!number) return
  const settings = await readSmsSettings(tx, sms.company.id)
  if (isOn(settings, sms.kind)) await queueSms(tx, context, { ...sms, phone: number.phone }, settings)
}

export const isOn = (settings: SmsSettings, kind: SmsKind): boolean =>
  (kind !== 'payments' && kind !== 'conversations') || settings[kind] === 1

/** Puts a text into the queue. @returns its number; null where the same waits for this phone already */
export async function queueSms(
  tx: Tx,
  context: AppContext,
  { company, person, phone, event, kind, words, waitSeconds = 0 }: Sms & { phone: string },
  settings: SmsSettings,
): Promise<number | null> {
  const now = context.clock.now()
  const send_after = mayLeaveAt(new Date(now.getTime() + waitSeconds * 1000), company, kind, settings)
  const added = await tx
    .insertInto('sms_message')
    .values({
      company_id: company.id,
      event,
      kind,
      phone,
      person_id: person,
      ...readyToSend(`${textName(company, settings)}: ${words}`),
      created_at: now,
      send_after,
    })
    // The same waits already.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await context.jobs.enqueue(tx, SEND_SMS, { company: company.id, id: added.id }, { after: send_after })
  return added?.id ?? null
}

/** When a text may leave that could leave then: in quiet hours, when they end. */
export const mayLeaveAt = (then: Date, { timeZone }: Company, kind: SmsKind, settings: SmsSettings): Date =>
  kind === 'account' || kind === 'emergencies'
    ? then
    : (endOfQuiet(then, timeZone, { from: settings.quiet_from, to: settings.quiet_to }) ?? then)

interface ManySms extends Pick<Sms, 'company' | 'event' | 'kind'> {
  /** No phone twice. */
  texts: readonly { person: number; phone: string; words: string }[]
}

/** While whoever queued them sends them, so that only what was left behind is taken up. */
const LEFT_BEHIND_SECONDS = 120

/**
 * Puts many texts into the queue by one statement. Whoever did so may send them after the commit (`sendMany`); what is not sent
 * then, since the process died or it is night, goes by a job.
 * @returns the number of each phone's text; none where the same waits for it already
 */
export async function queueMany(
  tx: Tx,
  context: AppContext,
  { company, event, kind, texts }: ManySms,
  settings: SmsSettings,
): Promise<Map<string, number>> {
  const now = context.clock.now()
  const send_after = mayLeaveAt(now, company, kind, settings)
  const ready = new Map<string, ReturnType<typeof readyToSend>>()
  const readyOf = (words: string) => {
    const known = ready.get(words) ?? readyToSend(`${textName(company, settings)}: ${words}`)
    ready.set(words, known)
    return known
  }
  const all = texts.map(({ person, phone, words }) => ({ person, phone, ...readyOf(words) }))
  const { rows } = await sql<{ id: number; phone: string }>`
    INSERT INTO sms_message (company_id, event, kind, phone, person_id, body, segments, created_at, send_after)
    SELECT ${company.id}, ${event}, ${kind}, t.phone, t.person, t.body, t.segments, ${now}, ${send_after}
    FROM unnest(${all.map(({ phone }) => phone)}::text[], ${all.map(({ person }) => person)}::bigint[], ${all.map(({ body }) => body)}::text[],
      ${all.map(({ segments }) => segments)}::int[]) AS t (phone, person, body, segments)
    ON CONFLICT DO NOTHING RETURNING id, phone`.execute(tx)
  if (rows.length > 0) {
    const leftBehind = new Date(now.getTime() + LEFT_BEHIND_SECONDS * 1000)
    const after = send_after > now ? send_after : leftBehind
    await context.jobs.enqueue(tx, SEND_MANY, { company: company.id, ids: rows.map(({ id }) => id) }, { after })
  }
  return new Map(rows.map(({ id, phone }) => [phone, id]))
}
