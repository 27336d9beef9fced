import { LINK_DAYS } from '../../../shared/cases.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice, type EmailTemplate } from '../../../server/notices/notice.ts'

/** Emails about contests. They repeat no text from the form, because the email address may belong to another person. */
export const receivedEmail = (number: string, citation: string): EmailTemplate => ({
  subject: say`Your contest of ticket ${citation}`,
  paragraphs: [
    say`We have received your contest ${number} of parking ticket ${citation}. Until it is decided nothing has to be paid, and no late fees are added.`,
    say`If this was not you, you need not do anything.`,
  ],
})

export const replyEmail = (citation: string, text: string): EmailTemplate => ({
  subject: say`About your contest of ticket ${citation}`,
  paragraphs: [text, say`Please do not answer this mail: write to us by the link below.`],
})

export const hearingMessage = (when: string, hearingPlace: string): string =>
  say`Your hearing is on ${when}, at this place: ${hearingPlace}. Bring what shows that you are right. If you cannot come, write to us before.`

export const hearingEmail = (citation: string, text: string): EmailTemplate => ({
  subject: say`Hearing about ticket ${citation}`,
  paragraphs: [text],
})

export const upheldMessage = (reason: string, owedCents: number, dueOn: string): string =>
  say`Your contest was not successful: the ticket is upheld. ${reason}\n\nPlease pay ${formatCents(owedCents)} by ${formatDate(dueOn)}.`

export const dismissedMessage = (reason: string): string =>
  say`Your contest was successful: the ticket is dismissed, and nothing has to be paid. ${reason}`

export const decisionEmail = (citation: string, text: string): EmailTemplate => ({
  subject: say`Decision about ticket ${citation}`,
  paragraphs: text.split('\n\n'),
})

export const linkLabel = () => say`Your contest and all answers, for ${LINK_DAYS} days:`
export const signature = (company: Company): string => say`Parking of ${company.name}`

/** Late step with the current amount due. */
interface LateNoticeData {
  citation: string
  feeCents: number
  owedCents: number
}

/** Recipients can't turn this notice off, because money is at stake. */
export const lateNotice = defineNotice<LateNoticeData>({
  event: 'parking.late',
  required: true,
  why: ({ name }) => say`You get this mail because ${name} has this address for a parking ticket.`,
  content: ({ citation, feeCents, owedCents }, at) => ({
    subject: say`Parking ticket ${citation} is not paid`,
    paragraphs: [
      feeCents > 0
        ? say`Your parking ticket ${citation} is not paid yet. A late fee of ${formatCents(feeCents)} was added, so that ${formatCents(owedCents)} has to be paid now.`
        : say`Your parking ticket ${citation} is not paid yet: ${formatCents(owedCents)} has to be paid.`,
      { label: say`See the ticket`, url: at.url('/parking-tickets') },
      say`If you have paid in the last days, you need not do anything.`,
    ],
  }),
})
