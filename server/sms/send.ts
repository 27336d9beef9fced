import type { Selectable } from 'kysely'
import { originOf } from '../config.ts'
import type { Schema } from '../db/schema.ts'
import type { AppContext } from '../app-context.ts'
import { pauseAddress, pausedUntil } from '../notices/refused-addresses.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../tenancy.ts'
import { isDeadNumber, OPTED_OUT, SmsRefused } from './provider.ts'
import { isOn, earliestSendTime, SEND_SMS } from './queue.ts'
import { readSmsSettings, senderOf } from './settings.ts'

/** Maximum number of attempts. The queue doubles its delay each time, so the attempts take several hours. */
const MAX_ATTEMPTS = 9
/**
 * Time for which a job reserves a text message, in milliseconds. It is longer than the timeout of a request to the
 * provider.
 */
export const CLAIM_MS = 60_000
/** Failure reason if the portal does not know whether the provider received the text message. */
const UNCLEAR = 'no answer'
/** Largest expected difference between the portal's clock and the provider's, in milliseconds. */
const SLACK_MS = 2 * 60_000

export type Sms = Selectable<Schema['sms_message']>
type Result = Partial<Pick<Sms, 'state' | 'reason' | 'provider_id' | 'requested_at' | 'held_until' | 'finished_at'>>

export const statusPath = (company: number, id: number): string => `/webhooks/sms/status?company=${company}&text=${id}`

/**
 * Defines the job that sends each text message only once. The job records the attempt before it makes the request. If
 * the response is lost, the job repeats the request with the same idempotency key. If the provider does not support
 * keys, the job looks up the message at the provider. If the provider does not have the message, its result is unclear.
 * Staff see unclear messages in a list, and only they can send them again.
 */
export function defineSmsJobs(context: AppContext): void {
  context.jobs.define<{ company: number; id: number }>(
    SEND_SMS,
    async ({ company: number, id }) => {
      const company = companyIdFrom('job', number)
      const claimed = await context.inCompany(company, (tx) => claimSms(tx, context, company, id))
      if (claimed) await sendClaimed(context, company, claimed)
    },
    { retryLimit: MAX_ATTEMPTS - 1 },
  )
}

/** Claims a text message if it may be sent now. Null otherwise. */
async function claimSms(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  id: number,
): Promise<(Sms & { from: string }) | null> {
  const now = context.clock.now()
  const sms = await tx
    .selectFrom('sms_message')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
  const companyDetails = sms && (await context.hosts.byId(company, tx))
  if (!sms || !companyDetails) return null
  if (sms.held_until && sms.held_until > now) throw new Error('another job has this text in hand')
  const settings = await readSmsSettings(tx, company)
  // Skips the checks if the provider may already have this message. The job must then first look up the message at the
  // provider, even if the recipient has opted out since.
  if (!sms.requested_at) {
    const end = await reasonNotToSend(tx, context, sms, isOn(settings, sms.kind))
    if (end) {
      await write(tx, sms, { ...end, finished_at: now })
      return null
    }
    const send_after = earliestSendTime(now, companyDetails, sms.kind, settings)
    if (send_after > now) {
      await setOn(tx, sms).set({ send_after }).execute()
      await context.jobs.enqueue(tx, SEND_SMS, { company, id }, { after: send_after })
      return null
    }
  }
  const held_until = new Date(now.getTime() + CLAIM_MS)
  await setOn(tx, sms)
    .set((row) => ({ attempts: row('attempts', '+', 1), requested_at: sms.requested_at ?? now, held_until }))
    .execute()
  return { ...sms, from: senderOf(context.config, settings) }
}

/**
 * Returns the reason to stop sending a text message: an opt-out, disabled messages or a paused number. Null if none
 * applies.
 */
async function reasonNotToSend(tx: Tx, context: AppContext, sms: Sms, on: boolean): Promise<Result | null> {
  if (await hasOptedOut(tx, sms)) return { state: 'stopped', reason: OPTED_OUT }
  if (sms.kind !== 'account' && !(on && (await wantsTexts(tx, sms)))) return { state: 'stopped', reason: 'off' }
  const rests = await pausedUntil(tx, { company: sms.company_id, address: sms.phone })
  return rests && rests > context.clock.now() ? { state: 'resting', reason: 'rests' } : null
}

export const hasOptedOut = async (tx: Tx, { company_id, phone }: Pick<Sms, 'company_id' | 'phone'>): Promise<boolean> =>
  (await tx
    .selectFrom('sms_opt_out')
    .select('at')
    .where('company_id', '=', company_id)
    .where('phone', '=', phone)
    .executeTakeFirst()) !== undefined

const wantsTexts = async (tx: Tx, { company_id, person_id, phone }: Sms): Promise<boolean> =>
  (await tx
    .selectFrom('sms_number')
    .select('phone')
    .where('company_id', '=', company_id)
    .where('person_id', '=', person_id)
    .where('phone', '=', phone)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/**
 * Sends a text message to the provider.
 * @returns the provider's id of the text message
 * @throws the provider's errors
 */
export const sendSms = (
  context: AppContext,
  company: CompanyId,
  sms: Pick<Sms, 'id' | 'phone' | 'body'> & { from: string },
) =>
  context.sms.send({
    ...{ to: sms.phone, from: sms.from, body: sms.body },
    key: `${context.config.baseHost}/${company}/${sms.id}`,
    statusUrl: originOf(context.config, null) + statusPath(company, sms.id),
  })

async function sendClaimed(context: AppContext, company: CompanyId, sms: Sms & { from: string }): Promise<void> {
  const note = (result: Result) => context.inCompany(company, (tx) => write(tx, sms, { held_until: null, ...result }))
  const now = context.clock.now()
  try {
    if (sms.requested_at && context.sms.find) {
      const provider_id = await findSent(context, company, sms, sms.requested_at)
      return await note(
        provider_id === undefined
          ? { state: 'unclear', reason: UNCLEAR, finished_at: now }
          : { state: 'sent', provider_id },
      )
    }
    if (sms.requested_at) {
      // The message may never have arrived. Since then, the recipient may have opted out, or the company may have
      // disabled these messages. So the job checks again.
      const end = await context.inCompany(company, async (tx) =>
        reasonNotToSend(tx, context, sms, isOn(await readSmsSettings(tx, company), sms.kind)),
      )
      if (end) return await note({ ...end, finished_at: now })
    }
    await note({ state: 'sent', provider_id: await sendSms(context, company, sms) })
  } catch (error) {
    if (error instanceof SmsRefused && !error.isOnlyNow) {
      await context.inCompany(company, async (tx) => {
        await write(tx, sms, { held_until: null, ...(await recordSmsFailure(tx, context, sms, error.code)) })
      })
      return
    }
    const reason = error instanceof SmsRefused ? error.code : 'no answer'
    if (sms.attempts + 1 >= MAX_ATTEMPTS) return note({ state: 'failed', reason, finished_at: now })
    // If the provider refused the message only temporarily, the message certainly never arrived.
    await note({ reason, ...(error instanceof SmsRefused && { requested_at: null }) })
    throw new Error(`a text could not be handed over: ${reason}`)
  }
}

/**
 * Finds the provider's id of a text message after the response was lost. Undefined if the provider does not have the
 * message.
 */
async function findSent(
  context: AppContext,
  company: CompanyId,
  sms: Sms,
  requestedAt: Date,
): Promise<string | undefined> {
  const since = new Date(requestedAt.getTime() - SLACK_MS)
  const there = (await context.sms.find?.({ to: sms.phone, body: sms.body }, since)) ?? []
  if (there.length === 0) return undefined
  const existing = await context.inCompany(company, (tx) =>
    tx
      .selectFrom('sms_message')
      .select('provider_id')
      .where('company_id', '=', company)
      .where('provider_id', 'in', there)
      .where('id', '<>', sms.id)
      .execute(),
  )
  const others = new Set(existing.map(({ provider_id }) => provider_id))
  return there.find((id) => !others.has(id))
}

/** Returns the result of a failed delivery. Stores an opt-out, or pauses a number that can't be reached. */
export async function recordSmsFailure(
  tx: Tx,
  context: AppContext,
  sms: Pick<Sms, 'company_id' | 'phone'>,
  code: string,
) {
  const now = context.clock.now()
  const { company_id, phone } = sms
  if (code === OPTED_OUT) {
    await tx
      .insertInto('sms_opt_out')
      .values({ company_id, phone, at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return { state: 'stopped' as const, reason: code, finished_at: now }
  }
  if (isDeadNumber(code)) await pauseAddress(tx, context.clock, { company: company_id, address: phone }, code)
  return { state: 'failed' as const, reason: code, finished_at: now }
}

const setOn = (tx: Tx, { company_id, id }: Pick<Sms, 'company_id' | 'id'>) =>
  tx.updateTable('sms_message').where('company_id', '=', company_id).where('id', '=', id)

/** Saves a result, unless a callback has already set a status. */
const write = async (tx: Tx, sms: Sms, result: Result): Promise<void> =>
  void (await setOn(tx, sms).set(result).where('state', '=', 'waiting').execute())
