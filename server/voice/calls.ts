import { sql } from 'kysely'
import { originOf } from '../config.ts'
import { changeRow } from '../db/rows.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { pausedUntil } from '../notices/refused-addresses.ts'
import { earliestSendTime } from '../sms/queue.ts'
import { readSmsSettings, type SmsSettings, textName } from '../sms/settings.ts'
import { type CompanyId, companyIdFrom, type Tx } from '../tenancy.ts'
import { isDeadLine, VoiceRefused } from './provider.ts'
import { MAKE_CALLS } from './queue.ts'
import { callerOf } from './settings.ts'
import { EXPIRED, PRESSED_9, pauseLine, applyReport, type VoiceCall } from './status.ts'
import { hasOptedOut, lineOf } from './opt-outs.ts'
import { twimlOf } from './twiml.ts'

/** Number of calls to place for one company before the next company's turn. */
const BATCH = 20
/** Maximum number of requests for one call if the provider refuses or does not respond. */
const MAX_ATTEMPTS = 10
const FIRST_WAIT_MS = 15_000
const MAX_WAIT_MS = 30 * 60_000
/** Time for which a job reserves a call, in milliseconds. It is longer than two provider timeouts. */
const CLAIM_MS = 60_000
/** Allowed difference between the portal's clock and the provider's, in milliseconds. */
const SLACK_MS = 2 * 60_000
/**
 * Time without a result after which the job requests a call's status from the provider, in milliseconds. The call's
 * final callback may have been lost.
 */
const MAX_RING_MS = 15 * 60_000

type ClaimedCall = VoiceCall & { from: string; name: string }

export const statusPath = (company: number, id: number, tried: number): string =>
  `/webhooks/calls/status?company=${company}&call=${id}&try=${tried}`
export const keysPath = (company: number, id: number): string => `/webhooks/calls/keys?company=${company}&call=${id}`

/**
 * Returns the TwiML of a call, with the URL that receives pressed keys. A call that the person requested does not ask
 * for a key.
 */
export const twimlOfCall = (context: AppContext, { company_id, id, kind, content }: VoiceCall, name: string) => {
  const keysUrl = kind === 'account' ? '' : originOf(context.config, null) + keysPath(company_id, id)
  return { keysUrl, twiml: twimlOf(content, name, keysUrl) }
}

/** Defines the jobs that place due calls: one runs immediately after queuing, the other each minute. */
export function defineVoiceJobs(context: AppContext): void {
  context.jobs.define(MAKE_CALLS, () => makeCalls(context), { timeoutSeconds: 3600 })
  context.jobs.define(
    'voice.refresh',
    async () => {
      await makeCalls(context)
      await refreshCalls(context)
    },
    { cron: '* * * * *', retryLimit: 0, timeoutSeconds: 3600 },
  )
}

/** Places one batch of calls for each company in turn. A large company then does not delay a small one. */
async function makeCalls(context: AppContext): Promise<void> {
  for (;;) {
    const now = context.clock.now()
    const { rows: companies } = await context.acrossCompanies((tx) =>
      sql<{ company_id: number }>`
        SELECT DISTINCT company_id FROM voice_call
        WHERE state = 'waiting' AND call_after <= ${now} AND (held_until IS NULL OR held_until <= ${now}) ORDER BY company_id`.execute(
        tx,
      ),
    )
    let worked = false
    for (const { company_id } of companies) {
      const company = companyIdFrom('job', company_id)
      const { looked, claimed } = await context.inCompany(company, (tx) => claimDueCalls(tx, context, company))
      await Promise.all(claimed.map((call) => sendClaimed(context, company, call)))
      worked ||= looked > 0
    }
    if (!worked) return
  }
}

/**
 * Claims some due calls of a company, with alerts after the other kinds. Records each request before it is sent to the
 * provider.
 */
async function claimDueCalls(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
): Promise<{ looked: number; claimed: ClaimedCall[] }> {
  const now = context.clock.now()
  const companyDetails = await context.hosts.byId(company, tx)
  if (!companyDetails) return { looked: 0, claimed: [] }
  const settings = await readSmsSettings(tx, company)
  const due = await tx
    .selectFrom('voice_call')
    .selectAll()
    .where('company_id', '=', company)
    .where('state', '=', 'waiting')
    .where('call_after', '<=', now)
    .where(({ eb, or }) => or([eb('held_until', 'is', null), eb('held_until', '<=', now)]))
    .orderBy(sql`kind = 'alerts'`)
    .orderBy('call_after')
    .orderBy('id')
    .limit(BATCH)
    .forUpdate()
    .skipLocked()
    .execute()
  const claimed: ClaimedCall[] = []
  for (const call of due) {
    const claimedCall = await claimCall(tx, context, call, { company: companyDetails, settings, now })
    if (claimedCall) claimed.push(claimedCall)
  }
  return { looked: due.length, claimed }
}

interface CallContext {
  company: Company
  settings: SmsSettings
  now: Date
}

async function claimCall(
  tx: Tx,
  context: AppContext,
  call: VoiceCall,
  { company, settings, now }: CallContext,
): Promise<ClaimedCall | null> {
  const write = (result: object) => changeRow(tx, 'voice_call', call.company_id, call.id, result)
  // Skips these checks if the provider may already have the call. The job must first find the result of that request.
  if (!call.requested_at) {
    const end = await reasonNotToCall(tx, call, now)
    if (end) {
      await write({ ...end, finished_at: now })
      return null
    }
    const call_after = earliestSendTime(now, company, call.kind, settings)
    if (call_after > now) {
      await write({ call_after })
      return null
    }
  }
  const accepted = {
    tries: call.requested_at ? call.tries : call.tries + 1,
    requested_at: call.requested_at ?? now,
    held_until: new Date(now.getTime() + CLAIM_MS),
    attempts: call.attempts + 1,
  }
  await write(accepted)
  return {
    ...call,
    ...accepted,
    // Time of an earlier request with an unknown result. Null if none exists.
    requested_at: call.requested_at,
    from: callerOf(context.config, settings),
    name: textName(company, settings),
  }
}

/**
 * Returns the reason to stop a call: opt-out, expired message, disabled calls or paused number. Null if none applies.
 */
async function reasonNotToCall(tx: Tx, call: VoiceCall, now: Date) {
  if (await hasOptedOut(tx, call)) return { state: 'stopped' as const, reason: PRESSED_9 }
  if (call.until !== null && call.until <= now) return { state: 'failed' as const, reason: EXPIRED }
  if (call.kind !== 'account' && !(await wantsCalls(tx, call))) return { state: 'stopped' as const, reason: 'off' }
  const rests = await pausedUntil(tx, { company: call.company_id, address: lineOf(call.phone) })
  return rests && rests > now ? { state: 'resting' as const, reason: 'rests' } : null
}

const wantsCalls = async (tx: Tx, { company_id, person_id, phone }: VoiceCall): Promise<boolean> =>
  (await tx
    .selectFrom('voice_number')
    .select('phone')
    .where('company_id', '=', company_id)
    .where('person_id', '=', person_id)
    .where('phone', '=', phone)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()) !== undefined

/**
 * Places a call. If an earlier response was lost and the provider lacks idempotency keys, looks up the call at the
 * provider. If the provider does not have the call, marks it as unclear for staff.
 */
async function sendClaimed(context: AppContext, company: CompanyId, call: ClaimedCall): Promise<void> {
  const note = (result: object, then?: (tx: Tx) => Promise<unknown>) =>
    context.inCompany(company, async (tx) => {
      if (await writeClaimed(tx, call, result)) await then?.(tx)
    })
  const now = context.clock.now()
  const origin = originOf(context.config, null)
  const { company_id, id, tries, phone: to, from, content: say } = call
  try {
    if (call.requested_at && !context.voice.knowsKeys) {
      const provider_id = await findSent(context, company, call, call.requested_at)
      if (provider_id === undefined) return await note({ state: 'unclear', reason: 'no answer', finished_at: now })
      return await note({ state: 'sent', reason: '', provider_id })
    }
    const provider_id = await context.voice.call({
      ...{ key: `${call.key}-${tries}`, to, from, say, ...twimlOfCall(context, call, call.name) },
      statusUrl: origin + statusPath(company_id, id, tries),
    })
    await note({ state: 'sent', reason: '', provider_id })
  } catch (error) {
    if (!(error instanceof VoiceRefused)) return await noteLost(call, note, now)
    // A refused call was certainly not placed, unless an earlier request for it had an unknown result.
    if (call.requested_at && !context.voice.knowsKeys) return await noteLost(call, note, now)
    const { code, isOnlyNow } = error
    const again = isOnlyNow && call.attempts < MAX_ATTEMPTS
    if (again) await note({ reason: code, tries: tries - 1, requested_at: null, call_after: waitAfter(call, now) })
    else
      await note({ state: 'failed', reason: code, finished_at: now }, async (tx) => {
        if (isDeadLine(code)) await pauseLine(tx, context, call, code)
      })
  }
}

type Note = (result: object) => Promise<void>

/**
 * Records an unknown result. The job tries again later to find the result. After `MAX_ATTEMPTS`, the call is marked as
 * unclear.
 */
const noteLost = (call: ClaimedCall, note: Note, now: Date): Promise<void> =>
  call.attempts < MAX_ATTEMPTS
    ? note({ reason: 'no answer', call_after: waitAfter(call, now) })
    : note({ state: 'unclear', reason: 'no answer', finished_at: now })

const waitAfter = ({ attempts }: VoiceCall, now: Date): Date =>
  new Date(now.getTime() + Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), MAX_WAIT_MS))

/**
 * Saves the result, unless the provider's callback already reported a later status.
 * @returns true if it was saved
 */
async function writeClaimed(
  tx: Tx,
  { company_id, id, tries, held_until }: ClaimedCall,
  result: object,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('voice_call')
    .set({ ...result, held_until: null })
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('tries', '=', tries)
    .where('held_until', '=', held_until)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * Returns the provider's id of a call after its response was lost. Undefined if the provider seems never to have
 * received the call.
 */
async function findSent(
  context: AppContext,
  company: CompanyId,
  call: ClaimedCall,
  requestedAt: Date,
): Promise<string | undefined> {
  const { phone: to, from, id } = call
  const there = await context.voice.find({ to, from }, new Date(requestedAt.getTime() - SLACK_MS))
  if (there.length === 0) return undefined
  const existing = await context.inCompany(company, (tx) =>
    tx
      .selectFrom('voice_call')
      .select(['provider_id', 'earlier_ids'])
      .where('company_id', '=', company)
      .where('phone', '=', to)
      .where(({ eb, or }) => or([eb('id', '=', id), eb('provider_id', 'in', there)]))
      .execute(),
  )
  const others = new Set(existing.flatMap(({ provider_id, earlier_ids }) => [provider_id ?? '', ...earlier_ids]))
  return there.find((one) => !others.has(one))
}

/** Requests the status of calls that have had no result for too long. */
async function refreshCalls(context: AppContext): Promise<void> {
  const since = new Date(context.clock.now().getTime() - MAX_RING_MS)
  const long = await context.acrossCompanies((tx) =>
    tx
      .selectFrom('voice_call')
      .select(['company_id', 'id', 'tries', 'provider_id'])
      .where('state', '=', 'sent')
      .where('requested_at', '<', since)
      .orderBy('requested_at')
      .limit(200)
      .execute(),
  )
  for (const { company_id, id, tries, provider_id } of long) {
    const company = companyIdFrom('job', company_id)
    const report = await context.voice.fetchCall(provider_id ?? '').catch(() => undefined)
    if (report === undefined) continue
    await context.inCompany(company, (tx) =>
      report
        ? applyReport(tx, context, company, { id, tried: tries }, report)
        : changeRow(tx, 'voice_call', company, id, { state: 'unclear', reason: 'no answer' }),
    )
  }
}
