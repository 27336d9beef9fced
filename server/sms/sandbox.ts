import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { originOf } from '../config.ts'
import type { Schema } from '../db/schema.ts'
import type { House } from '../house.ts'
import { type OutgoingSms, type SmsProvider, SmsRefused } from './provider.ts'
import { type Phones, plain, tellPortal } from './sandbox-phones.ts'

const DELAY_MS = 60_000
const JOB = 'sms.sandbox'

const newSid = () => `SM${randomBytes(16).toString('hex')}`
const endsWith = (phone: string) => phone.slice(-4)

interface Handed {
  text: OutgoingSms
  taken: PromiseWithResolvers<string>
}

/**
 * Telephones of our own: texts are kept to be looked at (the outbox shows them), and their phones answer by signed calls.
 * By the end of their numbers some phones are special: 0191 fails at once, 0192 fails later, 0193 gets its texts after a
 * minute, 0194 answers STOP. What is handed over at the same time is taken by one transaction, as this provider works on the
 * portal's own connections, which its pages need too.
 */
export function sandbox(phones: Phones): SmsProvider {
  let handed: Handed[] = []
  const takeAll = async () => {
    const some = handed
    handed = []
    try {
      const sids = await take(
        phones,
        some.map(({ text }) => text),
      )
      for (const { text, taken } of some) {
        const sid = sids.get(text.key)
        if (sid === undefined) throw new Error(`the sandbox did not take the text ${text.key}`)
        taken.resolve(sid)
      }
    } catch (error) {
      for (const { taken } of some) taken.reject(error)
    }
  }
  return {
    name: 'sandbox',
    answersKeywords: false,
    atOnce: 100,
    async send(text) {
      if (endsWith(text.to) === '0191') throw new SmsRefused('21211')
      if (handed.length === 0) setImmediate(() => void takeAll())
      const taken = Promise.withResolvers<string>()
      handed.push({ text, taken })
      return taken.promise
    },
  }
}

/** Takes texts, each once for its key. @returns their ids by key */
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
    const kept = await tx.selectFrom('sandbox_sms').select(['key', 'sid']).where('key', 'in', keys).execute()
    return new Map(kept.flatMap(({ key, sid }) => (key === null ? [] : [[key, sid] as const])))
  })

/** Somebody at a sandbox phone writes a text. */
export async function textFromPhone(house: House, phone: string, to: string, body: string): Promise<void> {
  await house.outside(async (tx) => {
    const row = { from_number: phone, to_number: to, body, status: 'received', at: house.clock.now() }
    const { id } = await tx
      .insertInto('sandbox_sms')
      .values({ ...row, sid: newSid(), direction: 'from phone' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await house.jobs.enqueue(tx, JOB, { ids: [id] })
  })
}

type Kept = Selectable<Schema['sandbox_sms']>

/** So many phones answer at once. */
const FEW = 20

/**
 * Tells the portal what became of texts, or what a phone wrote, one after the other. It may do so twice. Between two of many it
 * pauses for four times as long as the last took, so that thousands of phones leave the portal's time to its pages.
 */
export function defineSmsSandbox(house: House): void {
  house.jobs.define<{ ids: number[]; waited?: true }>(
    JOB,
    async ({ ids, waited = false }) => {
      const texts = await house.outside((tx) =>
        tx.selectFrom('sandbox_sms').selectAll().where('id', 'in', ids).orderBy('id').execute(),
      )
      for (const sms of texts) {
        const from = performance.now()
        if (sms.direction === 'from phone') await tellOfPhone(house, sms)
        else if (!ENDED.includes(sms.status)) await tellOfText(house, sms, waited)
        if (texts.length > FEW) await pause(4 * (performance.now() - from))
      }
    },
    { retryLimit: 5 },
  )
}

const ENDED = ['delivered', 'undelivered']

const numbersOf = (sms: Kept) => ({ MessageSid: sms.sid, From: sms.from_number, To: sms.to_number })

async function tellOfPhone(house: House, sms: Kept): Promise<void> {
  const url = `${originOf(house.config, null)}/webhooks/sms/incoming`
  const said = await tellPortal(house.config, url, { ...numbersOf(sms), Body: sms.body, NumMedia: '0' })
  const answer = /<Message>([^<]*)<\/Message>/.exec(said)?.[1]
  if (answer !== undefined) await answerPhone(house, sms, plain(answer))
}

async function tellOfText(house: House, sms: Kept, waited: boolean): Promise<void> {
  const report = async (status: string, error_code = '') => {
    const said = { ...numbersOf(sms), MessageStatus: status, ...(error_code && { ErrorCode: error_code }) }
    await tellPortal(house.config, sms.status_url, said)
    await house.outside((tx) =>
      tx.updateTable('sandbox_sms').set({ status, error_code }).where('id', '=', sms.id).execute(),
    )
  }
  const number = endsWith(sms.to_number)
  // Of those that arrive at once it tells that alone: that they were taken, the portal knows.
  if (number === '0193' && !waited) {
    await report('sent')
    const after = new Date(house.clock.now().getTime() + DELAY_MS)
    return house.outside((tx) => house.jobs.enqueue(tx, JOB, { ids: [sms.id], waited: true }, { after }))
  }
  if (number === '0192') return report('undelivered', '30003')
  await report('delivered')
  if (number === '0194') await textFromPhone(house, sms.to_number, sms.from_number, 'STOP')
}

/** Keeps what a phone is answered, once for each text that it wrote. */
const answerPhone = (house: House, of: { sid: string; from_number: string; to_number: string }, body: string) =>
  house.outside((tx) =>
    tx
      .insertInto('sandbox_sms')
      .values({
        sid: `${of.sid}-answer`,
        direction: 'to phone',
        from_number: of.to_number,
        to_number: of.from_number,
        body,
        status: 'delivered',
        at: house.clock.now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
