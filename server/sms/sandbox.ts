import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { originOf } from '../config.ts'
import type { Schema } from '../db/schema.ts'
import type { AppContext } from '../app-context.ts'
import { type OutgoingSms, type SmsProvider, SmsRefused } from './provider.ts'
import { type Phones, plain, notifyPortal } from './sandbox-phones.ts'

const DELAY_MS = 60_000
const JOB = 'sms.sandbox'

const newSid = () => `SM${randomBytes(16).toString('hex')}`
const endsWith = (phone: string) => phone.slice(-4)

interface DeliveredSms {
  text: OutgoingSms
  accepted: PromiseWithResolvers<string>
}

/**
 * Creates the sandbox provider. It stores text messages for the outbox screen, and its phones reply through signed
 * callbacks. Numbers with four endings are special: 0191 fails immediately, 0192 fails later, 0193 receives messages
 * after a minute, 0194 replies STOP. Messages that are sent together are stored in one transaction, to save database
 * connections.
 */
export function sandbox(phones: Phones): SmsProvider {
  let queued: DeliveredSms[] = []
  const takeAll = async () => {
    const some = queued
    queued = []
    try {
      const sids = await take(
        phones,
        some.map(({ text }) => text),
      )
      for (const { text, accepted } of some) {
        const sid = sids.get(text.key)
        if (sid === undefined) throw new Error(`the sandbox did not take the text ${text.key}`)
        accepted.resolve(sid)
      }
    } catch (error) {
      for (const { accepted } of some) accepted.reject(error)
    }
  }
  return {
    name: 'sandbox',
    repliesToKeywords: false,
    atOnce: 100,
    async send(text) {
      if (endsWith(text.to) === '0191') throw new SmsRefused('21211')
      if (queued.length === 0) setImmediate(() => void takeAll())
      const accepted = Promise.withResolvers<string>()
      queued.push({ text, accepted })
      return accepted.promise
    },
  }
}

/**
 * Stores text messages. A message with an existing key is stored only once.
 * @returns the ids of the messages by key
 */
const take = ({ clock, jobs, outside }: Phones, texts: readonly OutgoingSms[]): Promise<Map<string, string>> =>
  outside(async (tx) => {
    const added = await tx
      .insertInto('sandbox_sms')
      .values(
        texts.map(({ to, from, body, key, statusUrl }) => ({
          ...{ sid: newSid(), direction: 'to phone', from_number: from, to_number: to, body },
          ...{ status: 'queued', status_url: statusUrl, key, at: clock.now() },
        })),
      )
      .onConflict((conflict) => conflict.column('key').where('key', 'is not', null).doNothing())
      .returning('id')
      .execute()
    if (added.length > 0) await jobs.enqueue(tx, JOB, { ids: added.map(({ id }) => id) })
    const keys = texts.map(({ key }) => key)
    const stored = await tx.selectFrom('sandbox_sms').select(['key', 'sid']).where('key', 'in', keys).execute()
    return new Map(stored.flatMap(({ key, sid }) => (key === null ? [] : [[key, sid] as const])))
  })

/** Sends a text message from a sandbox phone to the portal. */
export async function textFromPhone(context: AppContext, phone: string, to: string, body: string): Promise<void> {
  await context.outside(async (tx) => {
    const row = { from_number: phone, to_number: to, body, status: 'received', at: context.clock.now() }
    const { id } = await tx
      .insertInto('sandbox_sms')
      .values({ ...row, sid: newSid(), direction: 'from phone' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await context.jobs.enqueue(tx, JOB, { ids: [id] })
  })
}

type SandboxSmsRow = Selectable<Schema['sandbox_sms']>

/** Maximum number of text messages that the sandbox reports without a pause after each. */
const FEW = 20

/**
 * Defines the job that reports statuses and replies of sandbox phones to the portal, one at a time. A retry may repeat
 * a report. With many phones, the job waits after each report, four times as long as the report took. The portal then
 * still has time to serve pages.
 */
export function defineSmsSandbox(context: AppContext): void {
  context.jobs.define<{ ids: number[]; waited?: true }>(
    JOB,
    async ({ ids, waited = false }) => {
      const texts = await context.outside((tx) =>
        tx.selectFrom('sandbox_sms').selectAll().where('id', 'in', ids).orderBy('id').execute(),
      )
      for (const sms of texts) {
        const from = performance.now()
        if (sms.direction === 'from phone') await notifyOfPhone(context, sms)
        else if (!ENDED.includes(sms.status)) await notifyOfText(context, sms, waited)
        if (texts.length > FEW) await pause(4 * (performance.now() - from))
      }
    },
    { retryLimit: 5 },
  )
}

const ENDED = ['delivered', 'undelivered']

const numbersOf = (sms: SandboxSmsRow) => ({ MessageSid: sms.sid, From: sms.from_number, To: sms.to_number })

async function notifyOfPhone(context: AppContext, sms: SandboxSmsRow): Promise<void> {
  const url = `${originOf(context.config, null)}/webhooks/sms/incoming`
  const response = await notifyPortal(context.config, url, { ...numbersOf(sms), Body: sms.body, NumMedia: '0' })
  const reply = /<Message>([^<]*)<\/Message>/.exec(response)?.[1]
  if (reply !== undefined) await storeReply(context, sms, plain(reply))
}

async function notifyOfText(context: AppContext, sms: SandboxSmsRow, waited: boolean): Promise<void> {
  const report = async (status: string, error_code = '') => {
    const form = { ...numbersOf(sms), MessageStatus: status, ...(error_code && { ErrorCode: error_code }) }
    await notifyPortal(context.config, sms.status_url, form)
    await context.outside((tx) =>
      tx.updateTable('sandbox_sms').set({ status, error_code }).where('id', '=', sms.id).execute(),
    )
  }
  const number = endsWith(sms.to_number)
  // A message that arrives immediately gets only the final report. The portal already knows from the response that the
  // message was accepted.
  if (number === '0193' && !waited) {
    await report('sent')
    const after = new Date(context.clock.now().getTime() + DELAY_MS)
    return context.outside((tx) => context.jobs.enqueue(tx, JOB, { ids: [sms.id], waited: true }, { after }))
  }
  if (number === '0192') return report('undelivered', '30003')
  await report('delivered')
  if (number === '0194') await textFromPhone(context, sms.to_number, sms.from_number, 'STOP')
}

/** Stores the portal's reply to a phone, once for each text message that the phone sent. */
const storeReply = (context: AppContext, of: { sid: string; from_number: string; to_number: string }, body: string) =>
  context.outside((tx) =>
    tx
      .insertInto('sandbox_sms')
      .values({
        sid: `${of.sid}-reply`,
        direction: 'to phone',
        from_number: of.to_number,
        to_number: of.from_number,
        body,
        status: 'delivered',
        at: context.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
