import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { AppContext } from '../app-context.ts'
import { type Phones, plain, notifyPortal } from '../sms/sandbox-phones.ts'
import type { VoiceProvider } from './provider.ts'
import { secondsOf } from './texts.ts'

const JOB = 'voice.sandbox'

/** Endings of the phone numbers with special results. */
const BUSY_TWICE = '0181'
const NEVER_ANSWERED = '0182'
const MACHINE = '0183'
const FAILS = '0184'
const PRESSES_9 = '0185'

type SandboxCall = Selectable<Schema['sandbox_call']>

const endsWith = (phone: string) => phone.slice(-4)

/** Simulates a telephone network. Records the spoken words for the outbox and reports results by signed callbacks. */
export const voiceSandbox = ({ clock, jobs, outside }: Phones): VoiceProvider => ({
  name: 'sandbox',
  knowsKeys: true,
  call: ({ key, to, from, say, keysUrl, statusUrl }) =>
    outside(async (tx) => {
      const added = await tx
        .insertInto('sandbox_call')
        .values({
          sid: `CA${randomBytes(16).toString('hex')}`,
          key,
          from_number: from,
          to_number: to,
          content: JSON.stringify(say),
          keys_url: keysUrl,
          status_url: statusUrl,
          status: 'queued',
          at: clock.now(),
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning(['id', 'sid'])
        .executeTakeFirst()
      if (added) {
        await jobs.enqueue(tx, JOB, { id: added.id })
        return added.sid
      }
      const { sid } = await tx.selectFrom('sandbox_call').select('sid').where('key', '=', key).executeTakeFirstOrThrow()
      return sid
    }),
  find: async ({ to, from }, since) => {
    const rows = await outside((tx) =>
      tx
        .selectFrom('sandbox_call')
        .select('sid')
        .where('to_number', '=', to)
        .where('from_number', '=', from)
        .where('at', '>=', since)
        .orderBy('id')
        .execute(),
    )
    return rows.map(({ sid }) => sid)
  },
  fetchCall: async (id) => {
    const call = await outside((tx) =>
      tx.selectFrom('sandbox_call').selectAll().where('sid', '=', id).executeTakeFirst(),
    )
    if (!call) return null
    return { id, status: call.status, answeredBy: call.answered_by, seconds: call.seconds, code: codeOf(call) }
  },
})

/**
 * Returns the telephone network's code of a failed call: 404, because the number does not exist. Returns '' for other
 * calls.
 */
const codeOf = ({ status }: Pick<SandboxCall, 'status'>): string => (status === 'failed' ? '404' : '')

/** Chooses the result of a call to a phone. `busyBefore` is the number of earlier busy calls. */
function fateOf(phone: string, busyBefore: number): { status: string; answeredBy: string; pressed: string } {
  switch (endsWith(phone)) {
    case BUSY_TWICE:
      return busyBefore < 2
        ? { status: 'busy', answeredBy: '', pressed: '' }
        : { status: 'completed', answeredBy: 'human', pressed: '' }
    case NEVER_ANSWERED:
      return { status: 'no-answer', answeredBy: '', pressed: '' }
    case MACHINE:
      return { status: 'completed', answeredBy: 'machine_end_beep', pressed: '' }
    case FAILS:
      return { status: 'failed', answeredBy: '', pressed: '' }
    case PRESSES_9:
      return { status: 'completed', answeredBy: 'human', pressed: '9' }
    default:
      return { status: 'completed', answeredBy: 'human', pressed: '' }
  }
}

/**
 * Defines the job that simulates calls: ringing, answering and pressing a key. Reports each step to the portal. A retry
 * may repeat a report.
 */
export function defineVoiceSandbox(context: AppContext): void {
  context.jobs.define<{ id: number }>(
    JOB,
    async ({ id }) => {
      const call = await context.outside((tx) =>
        tx.selectFrom('sandbox_call').selectAll().where('id', '=', id).executeTakeFirst(),
      )
      if (call) await ring(context, call)
    },
    { retryLimit: 5 },
  )
}

async function ring(context: AppContext, call: SandboxCall): Promise<void> {
  const numbers = { CallSid: call.sid, From: call.from_number, To: call.to_number }
  const notifyStatus = (form: Record<string, string>) =>
    notifyPortal(context.config, call.status_url, { ...numbers, ...form })
  await notifyStatus({ CallStatus: 'ringing' })
  const fate = fateOf(call.to_number, await busyBefore(context, call))
  const { status, pressed } = fate
  // If the call does not detect answering machines, the result has no `answeredBy`.
  const answeredBy = call.keys_url ? fate.answeredBy : ''
  let heard = ''
  if (status === 'completed') {
    await notifyStatus({ CallStatus: 'in-progress', ...(answeredBy && { AnsweredBy: answeredBy }) })
    heard = call.content.map(({ text }) => text).join('\n')
    if (pressed && call.keys_url) heard += `\n${await pressKey(context, call, numbers, pressed)}`
  }
  const seconds = heard ? 2 * secondsOf(heard) : 0
  const outcome = { status, heard, seconds, answered_by: answeredBy, pressed: call.keys_url ? pressed : '' }
  await context.outside((tx) => tx.updateTable('sandbox_call').set(outcome).where('id', '=', call.id).execute())
  const code = codeOf(outcome)
  await notifyStatus({
    CallStatus: status,
    CallDuration: String(seconds),
    ...(answeredBy && { AnsweredBy: answeredBy }),
    ...(code && { SipResponseCode: code }),
  })
}

/** Simulates a pressed key. Returns the words that the portal says next. */
async function pressKey(context: AppContext, call: SandboxCall, numbers: Record<string, string>, Digits: string) {
  const response = await notifyPortal(context.config, call.keys_url, { ...numbers, CallStatus: 'in-progress', Digits })
  return [...response.matchAll(/<Say[^>]*>([^<]*)<\/Say>/g)].map(([, text = '']) => plain(text)).join('\n')
}

/** Counts the busy results of the last two calls to this phone, up to the last call that was answered. */
async function busyBefore(context: AppContext, { id, to_number }: SandboxCall): Promise<number> {
  const earlier = await context.outside((tx) =>
    tx
      .selectFrom('sandbox_call')
      .select('status')
      .where('to_number', '=', to_number)
      .where('id', '<', id)
      .orderBy('id', 'desc')
      .limit(2)
      .execute(),
  )
  const answered = earlier.findIndex(({ status }) => status !== 'busy')
  return answered === -1 ? earlier.length : answered
}
