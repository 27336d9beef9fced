import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import type { NoticeSender } from '../../../server/notices/notice.ts'
import { noticeSenderOf } from '../../../server/notices/notify.ts'
import { readSmsSettings, textName } from '../../../server/sms/settings.ts'
import { readyToSend } from '../../../server/sms/texts.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { minutesOf, secondsOfCall } from '../../../server/voice/texts.ts'
import { countAudience } from '../contract-staff.ts'
import { type Alert, findAlert } from './alerts.ts'
import { approvalReasonFor, approvalOver } from './approval.ts'
import { countOf, sampleOf } from './audience.ts'
import { callText, smsText } from './emails.ts'

/**
 * Returns the audience. For a follow-up, returns the recipients of the first alert. For other alerts, returns the
 * people in the area.
 */
export async function audienceOf(tx: Tx, company: CompanyId, row: Alert) {
  if (row.about_id === null)
    return { counted: await countOf(tx, company, row), sample: await sampleOf(tx, company, row) }
  type Counts = Record<'people' | 'email' | 'text' | 'textSpanish' | 'call', number>
  const { rows } = await sql<Counts>`
    SELECT count(DISTINCT person_id)::int AS people, count(*) FILTER (WHERE channel = 'email')::int AS email,
      count(*) FILTER (WHERE channel = 'text')::int AS text,
      count(*) FILTER (WHERE channel = 'text' AND language = 'es')::int AS "textSpanish", count(*) FILTER (WHERE channel = 'call')::int AS call
    FROM alert_delivery WHERE company_id = ${company} AND alert_id = ${row.about_id} AND state IN ('waiting', 'sent', 'delivered', 'unclear')`.execute(
    tx,
  )
  const { people = 0, email = 0, text = 0, textSpanish = 0, call = 0 } = rows[0] ?? {}
  return {
    counted: { inArea: people, people, email, text, textSpanish, call, unwanted: 0, unreachable: 0 },
    sample: [],
  }
}

/** Returns the text messages and calls in each language, with their billed units. */
export function previewTexts(row: Alert, { at, name }: { at: NoticeSender; name: string }) {
  const languages = row.content.es ? (['en', 'es'] as const) : (['en'] as const)
  return {
    texts: languages.map((language) => ({ language, ...readyToSend(`${name}: ${smsText(row, at, language)}`) })),
    calls: languages.map((language) => {
      const spoken = callText(row, name, language)
      const seconds = secondsOfCall(spoken, name)
      return { language, text: spoken.text, seconds, minutes: minutesOf(seconds) }
    }),
  }
}

export const countCall = implement(countAudience, (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const row = await findAlert(tx, company, call.body.alertId)
    const over = await approvalOver(tx, company)
    const { counted, sample } = await audienceOf(tx, company, row)
    const name = textName(call.company, await readSmsSettings(tx, company))
    const { texts, calls } = previewTexts(row, { at: noticeSenderOf(call.context, call.company), name })
    const cost = {
      segments: segmentsOf(texts, counted),
      minutes: counted.call * Math.max(...calls.map(({ minutes }) => minutes)),
    }
    return { counted, sample, cost, secondPerson: approvalReasonFor(row, counted.people, over), over }
  }),
)

/**
 * Counts the segments of all text messages. Each phone gets one language. Without a Spanish version, all phones get
 * English.
 */
function segmentsOf(
  texts: readonly { language: 'en' | 'es'; segments: number }[],
  { text, textSpanish }: { text: number; textSpanish: number },
): number {
  const of = (requestedLanguage: 'en' | 'es') =>
    texts.find(({ language }) => language === requestedLanguage)?.segments ?? 0
  const spanish = of('es') === 0 ? 0 : textSpanish
  return (text - spanish) * of('en') + spanish * of('es')
}
