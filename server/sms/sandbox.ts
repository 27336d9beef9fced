import { randomBytes } from 'node:crypto'
import { originOf } from '../config.ts'
import type { House } from '../house.ts'
import type { Tx } from '../tenancy.ts'
import { type SmsProvider, SmsRefused } from './provider.ts'
import { type Phones, plain, tellPortal } from './sandbox-phones.ts'

const DELAY_MS = 60_000
const JOB = 'sms.sandbox'

const newSid = () => `SM${randomBytes(16).toString('hex')}`
const endsWith = (phone: string) => phone.slice(-4)

/**
 * Telephones of our own: texts are kept to be looked at (the outbox shows them), and their phones answer by signed calls.
 * By the end of their numbers some phones are special: 0191 fails at once, 0192 fails later, 0193 gets its texts after a
 * minute, 0194 answers STOP.
 */
export const sandbox = ({ clock, jobs, outside }: Phones): SmsProvider => ({
  name: 'sandbox',
  answersKeywords: false,
  // Each is a transaction of the portal’s own, which pages need connections for as well.
  atOnce: 4,
  send: ({ to, from, body, key, statusUrl }) =>
    outside(async (tx) => {
      if (endsWith(to) === '0191') throw new SmsRefused('21211')
      const sid = newSid()
      const added = await tx
        .insertInto('sandbox_sms')
        .values({
          sid,
          direction: 'to phone',
          from_number: from,
          to_number: to,
          body,
          status: 'queued',
          status_url: statusUrl,
          key,
          at: clock.now(),
        })
        .onConflict((conflict) => conflict.column('key').where('key', 'is not', null).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!added) return sidOf(tx, key)
      await jobs.enqueue(tx, JOB, { id: added.id })
      return sid
    }),
})

const sidOf = async (tx: Tx, key: string): Promise<string> =>
  (await tx.selectFrom('sandbox_sms').select('sid').where('key', '=', key).executeTakeFirstOrThrow()).sid

/** Somebody at a sandbox phone writes a text. */
export async function textFromPhone(house: House, phone: string, to: string, body: string): Promise<void> {
  await house.outside(async (tx) => {
    const row = { from_number: phone, to_number: to, body, status: 'received', at: house.clock.now() }
    const { id } = await tx
      .insertInto('sandbox_sms')
      .values({ ...row, sid: newSid(), direction: 'from phone' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await house.jobs.enqueue(tx, JOB, { id })
  })
}

/** Tells the portal what became of a text, or what a phone wrote. It may do so twice. */
export function defineSmsSandbox(house: House): void {
  house.jobs.define<{ id: number; waited?: true }>(
    JOB,
    async ({ id, waited }) => {
      const sms = await house.outside((tx) =>
        tx.selectFrom('sandbox_sms').selectAll().where('id', '=', id).executeTakeFirst(),
      )
      if (!sms) return
      const numbers = { MessageSid: sms.sid, From: sms.from_number, To: sms.to_number }
      if (sms.direction === 'from phone') {
        const url = `${originOf(house.config, null)}/webhooks/sms/incoming`
        const said = await tellPortal(house.config, url, { ...numbers, Body: sms.body, NumMedia: '0' })
        const answer = /<Message>([^<]*)<\/Message>/.exec(said)?.[1]
        if (answer !== undefined) await answerPhone(house, sms, plain(answer))
        return
      }
      const set = (status: string, error_code = '') =>
        house.outside((tx) => tx.updateTable('sandbox_sms').set({ status, error_code }).where('id', '=', id).execute())
      const report = async (MessageStatus: string, ErrorCode = '') => {
        const error = ErrorCode && { ErrorCode }
        await tellPortal(house.config, sms.status_url, { ...numbers, MessageStatus, ...error })
        await set(MessageStatus, ErrorCode)
      }
      const number = endsWith(sms.to_number)
      if (!waited) await report('sent')
      if (number === '0193' && !waited) {
        const after = new Date(house.clock.now().getTime() + DELAY_MS)
        return house.outside((tx) => house.jobs.enqueue(tx, JOB, { id, waited: true }, { after }))
      }
      if (number === '0192') return report('undelivered', '30003')
      await report('delivered')
      if (number === '0194') await textFromPhone(house, sms.to_number, sms.from_number, 'STOP')
    },
    { retryLimit: 5 },
  )
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
