import type { AppContext } from '../../../server/app-context.ts'
import { inLanguage } from '../../../server/languages.ts'
import { layOut } from '../../../server/notices/layout.ts'
import { defineNotice, type Letter, type NoticeSender } from '../../../server/notices/notice.ts'
import { stopPath } from '../../../server/notices/stops.ts'
import { formatInstant } from '../../../shared/dates.ts'
import { say } from '../../../shared/words.ts'
import { CHOOSE_PATH, type Kind, prefixOf, READ_PATH, saidIn, textOf } from '../rules.ts'
import { ALERT_EVENT } from './audience.ts'
import type { Alert } from './alerts.ts'
import type { SpokenText } from '../../../server/db/column-types.ts'
import { readyToSay } from '../../../server/voice/words.ts'
import { languageOf, spokenOf } from './spoken.ts'

export type AlertNoticeData = Pick<Alert, 'id' | 'kind' | 'about_id' | 'words' | 'area_words' | 'expires_at'>

/** What a mail says, in the language in which it is read. */
function letterOf(alert: AlertNoticeData, at: NoticeSender, language: 'en' | 'es'): Letter {
  const { headline, description, instruction } = saidIn(alert.words, language)
  const until = alert.kind === 'alert' || alert.kind === 'update'
  // News begins with what it is in the mail itself, too: an all-clear must never read like the alert.
  const begins = prefixOf(alert.kind, language) + headline
  const [read, choose] = [say`Read it on our pages`, say`Choose what you are alerted of`]
  return {
    subject: begins,
    paragraphs: [
      begins,
      ...[description, instruction].filter(Boolean),
      ...(alert.area_words ? [say`For: ${alert.area_words}`] : []),
      ...(until && at.company ? [say`In force until ${formatInstant(alert.expires_at, at.company.timeZone)}.`] : []),
      { label: read, says: `${read}: `, url: readUrl(alert, at) },
      { label: choose, says: `${choose}: `, url: at.url(CHOOSE_PATH), small: true as const },
    ],
  }
}

/** News is read beside the first alert. */
const readUrl = ({ id, about_id }: AlertNoticeData, at: NoticeSender): string =>
  at.url(`${READ_PATH}?alert=${about_id ?? id}`)

const why = ({ name }: NoticeSender) => say`You get this mail because ${name} alerts its residents.`

/** Alerts are handed over in batches (`send.ts`): what is declared here is how they are stopped. */
defineNotice<AlertNoticeData>({
  event: ALERT_EVENT,
  required: false,
  called: 'alerts',
  waitSeconds: 0,
  why,
  words: (alert, at) => letterOf(alert, at, 'en'),
  together: ([alert], at) => ({ ...letterOf(alert as AlertNoticeData, at, 'en') }),
})

/** A mail to an address, with the way to stop such mails. */
export const mailOf = (
  context: AppContext,
  at: NoticeSender,
  alert: AlertNoticeData,
  to: string,
  language: 'en' | 'es',
  test = false,
) =>
  inLanguage(language, () => {
    const company = at.company?.id ?? 0
    const stopUrl = at.url(stopPath(context, { company, address: to.toLowerCase() }, ALERT_EVENT))
    const letter = letterOf(alert, at, language)
    const subject = test ? say`TEST: ${letter.subject}` : letter.subject
    return {
      to,
      subject,
      ...layOut(at, { ...letter, subject }, { why: why(at), stopUrl }),
      event: ALERT_EVENT,
      stopUrl,
    }
  })

/** Three texts of the plain alphabet, but for what stands before and behind. */
const MAX_TEXT = 380

/** A text's words, without the town's name, which stands before each; whoever wants to know more reads the page. */
export const textWords = (alert: AlertNoticeData, at: NoticeSender, language: 'en' | 'es', test = false): string => {
  const url = readUrl(alert, at)
  const most = MAX_TEXT - url.length
  const whole = (test ? 'TEST: ' : '') + textOf(alert.kind as Kind, alert.words, language)
  const words = whole.length > most ? `${whole.slice(0, most - 3).trimEnd()}...` : whole
  return `${words} ${url}`
}

/** What a call says, by a voice of its language. `name`: how the town calls itself. */
export const callWords = (alert: AlertNoticeData, name: string, language: 'en' | 'es', test = false): SpokenText => ({
  language: languageOf(alert.words, language),
  text: readyToSay(spokenOf(alert.kind as Kind, alert.words, language, name, test)),
})
