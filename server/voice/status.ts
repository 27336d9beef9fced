import { type Selectable, sql } from 'kysely'
import { changeRow } from '../db/rows.ts'
import type { Schema } from '../db/schema.ts'
import type { AppContext } from '../app-context.ts'
import { forgetRefusals, pauseAddress } from '../notices/refused-addresses.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { type CallReport, isDeadLine } from './provider.ts'
import type { CallKind } from './queue.ts'
import { lineOf } from './opt-outs.ts'
import { minutesOf } from './texts.ts'

export type VoiceCall = Selectable<Schema['voice_call']>

/**
 * Minutes to wait before each further attempt if the phone was busy, unanswered or unreachable. The number of entries
 * limits the attempts. Emergencies have short waits. Calls with a requested code are not repeated, because the person
 * has the phone at hand.
 */
export const AGAIN_AFTER_MINUTES: Readonly<Record<CallKind, readonly number[]>> = {
  account: [],
  alerts: [10, 30, 90],
  emergencies: [1, 3, 10],
}

const RINGS = ['queued', 'initiated', 'ringing', 'in-progress']
const NOT_REACHED = ['busy', 'no-answer', 'failed']

/** Results of a call that an answering machine answered, and of a call in which the person pressed 9. */
export const MACHINE = 'machine'
export const PRESSED_9 = 'pressed 9'
/** Result of a call with a message that expired before a person answered. */
export const EXPIRED = 'expired'

/**
 * Applies a provider's status report to an attempt. Reports may arrive late, twice and out of order. So a call never
 * returns to an earlier status, its final status never changes, and reports on earlier attempts are ignored.
 */
export async function applyReport(
  tx: Tx,
  context: AppContext,
  company: CompanyId,
  of: { id: number; tried: number },
  report: CallReport,
): Promise<void> {
  const call = await tx
    .selectFrom('voice_call')
    .selectAll()
    .where('company_id', '=', company)
    .where('id', '=', of.id)
    .where('tries', '=', of.tried)
    .where('requested_at', 'is not', null)
    .where('state', 'in', ['waiting', 'sent', 'unclear'])
    .forUpdate()
    .executeTakeFirst()
  if (!call || report.id === '' || (call.provider_id !== null && call.provider_id !== report.id)) return
  const now = context.clock.now()
  const write = (result: object) =>
    changeRow(tx, 'voice_call', company, call.id, { provider_id: report.id, held_until: null, attempts: 0, ...result })
  const finished = { finished_at: now }
  if (RINGS.includes(report.status)) {
    if (call.state !== 'sent') await write({ state: 'sent', reason: '' })
  } else if (report.status === 'completed') {
    const minutes = sql<number>`minutes + ${minutesOf(report.seconds)}::int`
    const isFax = report.answeredBy === 'fax'
    const heard = call.reason === PRESSED_9 ? PRESSED_9 : report.answeredBy.startsWith('machine') ? MACHINE : ''
    await write({ state: isFax ? 'failed' : 'delivered', reason: isFax ? 'fax' : heard, minutes, ...finished })
    await forgetRefusals(tx, { company, address: lineOf(call.phone) })
  } else if (NOT_REACHED.includes(report.status) && !isDeadLine(report.code)) await callLater(tx, call, report, now)
  else {
    if (isDeadLine(report.code)) await pauseLine(tx, context, call, report.code)
    await write({ state: 'failed', reason: report.code || report.status, ...finished })
  }
}

/** Schedules the next attempt, or ends the call after the last one. */
async function callLater(tx: Tx, call: VoiceCall, { id, status }: CallReport, now: Date): Promise<void> {
  const minutes = AGAIN_AFTER_MINUTES[call.kind][call.tries - 1]
  const next =
    minutes === undefined
      ? { state: 'failed' as const, finished_at: now, provider_id: id }
      : {
          state: 'waiting' as const,
          call_after: new Date(now.getTime() + minutes * 60_000),
          requested_at: null,
          provider_id: null,
          earlier_ids: sql<string[]>`earlier_ids || ${id}::text`,
        }
  await changeRow(tx, 'voice_call', call.company_id, call.id, {
    ...next,
    reason: status,
    held_until: null,
    attempts: 0,
  })
}

/** Pauses calls to a number that cannot be called. */
export const pauseLine = (tx: Tx, context: AppContext, { company_id, phone }: VoiceCall, code: string): Promise<void> =>
  pauseAddress(tx, context.clock, { company: company_id, address: lineOf(phone) }, code)
