import { LINK_DAYS } from '../../../shared/cases.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice, type EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf } from '../rules.ts'

/** Emails about moves. They contain no text from the form, because the email address may belong to another person. */
export const receivedEmail = (id: number): EmailTemplate => ({
  subject: say`We received your move request ${numberOf(id)}`,
  paragraphs: [
    say`We received your move request. Its number is ${numberOf(id)}. Use the link below to check its status, contact us or withdraw the request.`,
    say`If you did not submit anything to us, you can ignore this email.`,
  ],
})

/** @param notices effects of the move for the requester */
export const completedEmail = (id: number, notices: readonly string[]): EmailTemplate => ({
  subject: say`Your move request ${numberOf(id)} is complete`,
  paragraphs: [
    say`Your move request ${numberOf(id)} is complete. If you have a question, contact us through the link below.`,
    ...notices,
  ],
})

export const daysEmail = (id: number): EmailTemplate => ({
  subject: say`The dates for your move request ${numberOf(id)} have changed`,
  paragraphs: [
    say`We changed the dates for your move request ${numberOf(id)}. Use the link below to see the new dates.`,
  ],
})

export const replyEmail = (id: number, text: string): EmailTemplate => ({
  subject: say`Reply about your move request ${numberOf(id)}`,
  paragraphs: [text, say`Please do not reply to this email. Use the link below to contact us.`],
})

export const linkLabel = () => say`View your move request and all messages (link valid for ${LINK_DAYS} days):`
export const signature = (company: Company): string => company.name

interface OwnerNoticeData {
  number: string
  token: string
  days: number
}
/** Notice without an opt-out, because it asks the owner for an agreement. */
export const ownerNotice = defineNotice<OwnerNoticeData>({
  event: 'move.owner_asked',
  required: true,
  why: ({ name }) => say`You are receiving this email because someone named you as the owner of a property in ${name}.`,
  content: ({ number, token, days }, at) => ({
    subject: say`Do you agree to move request ${number}?`,
    paragraphs: [
      say`Someone requested a move into or out of a property that you own. Please tell us whether you agree.`,
      { label: say`View the move request and respond`, url: at.url(`/relocate/owner/${token}`) },
      say`The link is valid for ${days} days. If you do not own this property, choose “I do not agree” or ignore this email.`,
    ],
  }),
})
