import type { AppContext } from '../../../server/app-context.ts'
import { inLanguage } from '../../../server/languages.ts'
import { layOut } from '../../../server/notices/layout.ts'
import { defineNotice, type EmailTemplate, type NoticeSender } from '../../../server/notices/notice.ts'
import { unsubscribePath } from '../../../server/notices/opt-outs.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'
import { CHOOSE_PATH, type Kind, prefixOf, READ_PATH, textIn, textOf } from '../rules.ts'
import { ALERT_EVENT } from './audience.ts'
import type { Alert } from './alerts.ts'
import type { SpokenText } from '../../../server/db/column-types.ts'
import { readyToSay } from '../../../server/voice/texts.ts'
import { languageOf, spokenOf } from './spoken.ts'

export type AlertNoticeData = Pick<Alert, 'id' | 'kind' | 'about_id' | 'content' | 'area_text' | 'expires_at'>

/** Returns the email text in the reader's language. */
function emailOf(alert: AlertNoticeData, at: NoticeSender, language: 'en' | 'es'): EmailTemplate {
  const { headline, description, instruction } = textIn(alert.content, language)
  const until = alert.kind === 'alert' || alert.kind === 'update'
  // The email starts with the kind of message, so that an all-clear can't be mistaken for an alert.
  const begins = prefixOf(alert.kind, language) + headline
  const [read, choose] = [say`Read more on our website`, say`Choose your alerts`]
  return {
    subject: begins,
    paragraphs: [
      begins,
      ...[description, instruction].filter(Boolean),
      ...(alert.area_text ? [say`This message is for: ${alert.area_text}`] : []),
      ...(until && at.company ? [say`Active until ${formatInstant(alert.expires_at, at.company.timeZone)}.`] : []),
      { label: read, text: `${read}: `, url: readUrl(alert, at) },
      { label: choose, text: `${choose}: `, url: at.url(CHOOSE_PATH), small: true as const },
    ],
  }
}

/** A follow-up appears on the page of the first alert. */
const readUrl = ({ id, about_id }: AlertNoticeData, at: NoticeSender): string =>
  at.url(`${READ_PATH}?alert=${about_id ?? id}`)

const why = ({ name }: NoticeSender) => say`You are receiving this email because ${name} sends alerts to its residents.`

/** `send.ts` sends alerts in batches. This definition only lets recipients unsubscribe. */
defineNotice<AlertNoticeData>({
  event: ALERT_EVENT,
  required: false,
  called: 'alerts',
  waitSeconds: 0,
  why,
  content: (alert, at) => emailOf(alert, at, 'en'),
  together: ([alert], at) => ({ ...emailOf(alert as AlertNoticeData, at, 'en') }),
})

/** Builds an email to an address, with an unsubscribe link. */
export const emailFor = (
  context: AppContext,
  at: NoticeSender,
  alert: AlertNoticeData,
  to: string,
  language: 'en' | 'es',
  test = false,
) =>
  inLanguage(language, () => {
    const company = at.company?.id ?? 0
    const unsubscribeUrl = at.url(unsubscribePath(context, { company, address: to.toLowerCase() }, ALERT_EVENT))
    const email = emailOf(alert, at, language)
    const subject = test ? say`TEST: ${email.subject}` : email.subject
    return {
      to,
      subject,
      ...layOut(at, { ...email, subject }, { why: why(at), unsubscribeUrl }),
      event: ALERT_EVENT,
      unsubscribeUrl,
    }
  })

/** Maximum length of a text message: three segments in the basic SMS alphabet, less the prefix and the link. */
const MAX_TEXT = 380

/**
 * Returns a text message without the company's name, because the name precedes every message. The alerts page shows the
 * details.
 */
export const smsText = (alert: AlertNoticeData, at: NoticeSender, language: 'en' | 'es', test = false): string => {
  const url = readUrl(alert, at)
  const max = MAX_TEXT - url.length
  const whole = (test ? 'TEST: ' : '') + textOf(alert.kind as Kind, alert.content, language)
  const shortText = whole.length > max ? `${whole.slice(0, max - 3).trimEnd()}...` : whole
  return `${shortText} ${url}`
}

/** Returns the spoken text of a call in its language. `name` is the company's short name. */
export const callText = (alert: AlertNoticeData, name: string, language: 'en' | 'es', test = false): SpokenText => ({
  language: languageOf(alert.content, language),
  text: readyToSay(spokenOf(alert.kind as Kind, alert.content, language, name, test)),
})
