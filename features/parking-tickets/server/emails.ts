import { LINK_DAYS } from '../../../shared/cases.ts'
import { formatDate } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice, type EmailTemplate } from '../../../server/notices/notice.ts'

/**
 * Emails about contests. They never quote the submitted form, because its email address may belong to another person.
 */
export const receivedEmail = (number: string, citation: string): EmailTemplate => ({
  subject: say`Your contest request for ticket ${citation}`,
  paragraphs: [
    say`We received your request to contest parking ticket ${citation}. Your contest request number is ${number}. Until we decide, no payment is due and no late fees will be added.`,
    say`If you did not submit anything to us, you can ignore this email.`,
  ],
})

export const replyEmail = (citation: string, text: string): EmailTemplate => ({
  subject: say`About your contest request for ticket ${citation}`,
  paragraphs: [text, say`Please do not reply to this email. Use the link below to contact us.`],
})

export const hearingMessage = (when: string, hearingLocation: string): string =>
  say`Your hearing is on ${when}, at this location: ${hearingLocation}. Bring evidence that supports your case. If you cannot attend, contact us before the hearing.`

export const hearingEmail = (citation: string, text: string): EmailTemplate => ({
  subject: say`Hearing for ticket ${citation}`,
  paragraphs: [text],
})

export const upheldMessage = (reason: string, owedCents: number, dueOn: string): string =>
  say`Your contest request was not successful. The ticket was upheld. ${reason}

Please pay ${formatCents(owedCents)} by ${formatDate(dueOn)}.`

export const dismissedMessage = (reason: string): string =>
  say`Your contest request was successful. The ticket was dismissed, and no payment is due. ${reason}`

export const decisionEmail = (citation: string, text: string): EmailTemplate => ({
  subject: say`Decision on ticket ${citation}`,
  paragraphs: text.split('\n\n'),
})

export const linkLabel = () => say`For ${LINK_DAYS} days, you can view your contest request and all replies here:`
export const signature = (company: Company): string => say`${company.name} Parking`

/** Late fee of a ticket, and the amount due including the fee. */
interface LateNoticeData {
  citation: string
  feeCents: number
  owedCents: number
}

/** Recipients can't turn this notice off, because money is at stake. */
export const lateNotice = defineNotice<LateNoticeData>({
  event: 'parking.late',
  required: true,
  why: ({ name }) =>
    say`You are receiving this email because ${name} has this email address on file for a parking ticket.`,
  content: ({ citation, feeCents, owedCents }, at) => ({
    subject: say`Parking ticket ${citation} is unpaid`,
    paragraphs: [
      feeCents > 0
        ? say`Your parking ticket ${citation} is unpaid. A late fee of ${formatCents(feeCents)} was added. The amount due is now ${formatCents(owedCents)}.`
        : say`Your parking ticket ${citation} is unpaid. The amount due is ${formatCents(owedCents)}.`,
      { label: say`View ticket`, url: at.url('/parking-tickets') },
      say`If you paid in the last few days, you do not need to do anything.`,
    ],
  }),
})
