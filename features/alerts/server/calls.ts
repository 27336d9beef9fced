import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { type SmsSettings, textName } from '../../../server/sms/settings.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type CallKind, endCalls, queueCalls, repeatCall } from '../../../server/voice/queue.ts'
import { say } from '../../../shared/words.ts'
import { repeatAlertCall } from '../contract-desk.ts'
import type { Alert } from './alerts.ts'
import { ALERT_EVENT } from './audience.ts'
import { callWords } from './letters.ts'

interface Of {
  company: Company
  alert: Alert
  kind: CallKind
  settings: SmsSettings
}

interface Called {
  address: string
  person_id: number
  language: 'en' | 'es'
}

/** Hands an alert's calls to their queue. @returns their numbers, in the order of who is called */
export function queueAlertCalls(
  tx: Tx,
  house: House,
  { company, alert, kind, settings }: Of,
  called: readonly Called[],
): Promise<number[]> {
  const name = textName(company, settings)
  const words = { en: [callWords(alert, name, 'en')], es: [callWords(alert, name, 'es')] }
  const rows = called.map(({ address, person_id, language }) => ({
    ...{ person: person_id, phone: address, words: words[language] },
  }))
  const about = { company, event: ALERT_EVENT, kind, until: alert.expires_at }
  return queueCalls(tx, house, about, rows, settings)
}

/** News goes to the same phones: what is older does not ring after it. */
export async function endOlderCalls(tx: Tx, house: House, first: Alert): Promise<void> {
  const { rows } = await sql<{ message_id: number }>`
    SELECT d.message_id FROM alert_delivery d
    WHERE d.company_id = ${first.company_id} AND d.channel = 'call' AND d.state IN ('waiting', 'sent', 'unclear')
      AND d.message_id IS NOT NULL AND d.alert_id IN (
        SELECT id FROM alert WHERE company_id = ${first.company_id} AND (id = ${first.id} OR about_id = ${first.id}))`.execute(
    tx,
  )
  const ids = rows.map(({ message_id }) => message_id)
  if (ids.length > 0) await endCalls(tx, first.company_id, ids, house.clock.now())
}

/** Notes what the queue of calls knows by now, of deliveries since then. */
export const settleCalls = (tx: Tx, since: Date) =>
  sql`
    UPDATE alert_delivery d SET state = c.state, reason = c.reason
    FROM alert_delivery open JOIN voice_call c ON c.company_id = open.company_id AND c.id = open.message_id
    WHERE open.state IN ('waiting', 'sent', 'unclear') AND open.at > ${since} AND open.channel = 'call' AND c.state <> open.state
      AND d.company_id = open.company_id AND d.id = open.id`.execute(tx)

const repeatAlertCallCall = implement(repeatAlertCall, (call) =>
  call.inCompany(async (tx) => {
    const { house, company, body } = call
    const delivery = await tx
      .selectFrom('alert_delivery as d')
      .innerJoin('alert as a', (on) => on.onRef('a.company_id', '=', 'd.company_id').onRef('a.id', '=', 'd.alert_id'))
      .select(['d.id', 'd.message_id', 'd.name', 'a.number', 'a.expires_at', 'a.status'])
      .where('d.company_id', '=', company.id)
      .where('d.id', '=', body.deliveryId)
      .where('d.channel', '=', 'call')
      .forUpdate('d')
      .executeTakeFirst()
    if (!delivery?.message_id) throw notFound(say`This call was not found.`)
    const { id, message_id, name, number, expires_at } = delivery
    if (expires_at <= house.clock.now())
      throw conflict('alert_over', say`Alert ${number} is over, so nobody is called about it any more.`)
    if (!(await repeatCall(tx, house, company.id, message_id)))
      throw conflict('call_known', say`It is known by now what became of this call. Look at the list again.`)
    await tx
      .updateTable('alert_delivery')
      .set({ state: 'waiting', reason: '', at: house.clock.now() })
      .where('company_id', '=', company.id)
      .where('id', '=', id)
      .execute()
    await call.audit(tx, { action: 'alert.call_repeated', subject: { kind: 'alert', id: number }, detail: { name } })
    return { success: true as const, message: say`${name} is called again.` }
  }),
)

export const callRepeatCalls = [repeatAlertCallCall]
