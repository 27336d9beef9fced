import { sql } from 'kysely'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import { type SmsSettings, textName } from '../../../server/sms/settings.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { type CallKind, endCalls, queueCalls } from '../../../server/voice/queue.ts'
import type { Alert } from './alerts.ts'
import { ALERT_EVENT } from './audience.ts'
import { callText } from './emails.ts'

interface Of {
  company: Company
  alert: Alert
  kind: CallKind
  settings: SmsSettings
}

interface CallRecipient {
  address: string
  person_id: number
  language: 'en' | 'es'
}

/**
 * Queues the calls of an alert.
 * @returns their ids, in the order of the recipients
 */
export function queueAlertCalls(
  tx: Tx,
  context: AppContext,
  { company, alert, kind, settings }: Of,
  called: readonly CallRecipient[],
): Promise<number[]> {
  const name = textName(company, settings)
  const spokenTexts = { en: [callText(alert, name, 'en')], es: [callText(alert, name, 'es')] }
  const rows = called.map(({ address, person_id, language }) => ({
    ...{ person: person_id, phone: address, content: spokenTexts[language] },
  }))
  const about = { company, event: ALERT_EVENT, kind, until: alert.expires_at }
  return queueCalls(tx, context, about, rows, settings)
}

/** Cancels waiting calls of older alerts, so that the phones do not ring after the follow-up. */
export async function endOlderCalls(tx: Tx, context: AppContext, first: Alert): Promise<void> {
  const { rows } = await sql<{ message_id: number }>`
    SELECT d.message_id FROM alert_delivery d
    WHERE d.company_id = ${first.company_id} AND d.channel = 'call' AND d.state IN ('waiting', 'sent', 'unclear')
      AND d.message_id IS NOT NULL AND d.alert_id IN (
        SELECT id FROM alert WHERE company_id = ${first.company_id} AND (id = ${first.id} OR about_id = ${first.id}))`.execute(
    tx,
  )
  const ids = rows.map(({ message_id }) => message_id)
  if (ids.length > 0) await endCalls(tx, first.company_id, ids, context.clock.now())
}

/** Copies call results from the queue to the deliveries that are newer than `since`. */
export const finishCalls = (tx: Tx, since: Date) =>
  sql`
    UPDATE alert_delivery d SET state = c.state, reason = c.reason
    FROM alert_delivery open JOIN voice_call c ON c.company_id = open.company_id AND c.id = open.message_id
    WHERE open.state IN ('waiting', 'sent', 'unclear') AND open.at > ${since} AND open.channel = 'call' AND c.state <> open.state
      AND d.company_id = open.company_id AND d.id = open.id`.execute(tx)
