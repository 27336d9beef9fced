import { LINK_DAYS } from '../../../shared/cases.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf, submissionStatus } from '../rules.ts'
import type { Submission } from './row.ts'

/** Emails about submissions. They link to the answers, so that mailboxes do not store the answers. */
export const sentEmail = ({ id, title, fee_cents, status }: Submission): EmailTemplate => ({
  subject: say`We received “${title}”`,
  paragraphs: [
    say`We received your form “${title}”. Its number is ${numberOf(id)}. Use the link below to see your answers and follow its status.`,
    ...(status === submissionStatus.paymentRequired
      ? [say`The fee is ${formatCents(fee_cents)}. We will start the review after you pay it.`]
      : []),
  ],
})

export const moreInfoEmail = ({ id, title }: Submission, reason: string): EmailTemplate => ({
  subject: say`We have a question about “${title}”`,
  paragraphs: [
    say`We need more information to process your form “${title}” (${numberOf(id)}):`,
    reason,
    say`Use the link below to reply, or to change and resubmit your form.`,
  ],
})

export const approvedEmail = ({ id, title }: Submission): EmailTemplate => ({
  subject: say`“${title}” was approved`,
  paragraphs: [say`Your form “${title}” (${numberOf(id)}) was approved.`],
})

export const rejectedEmail = ({ id, title }: Submission, reason: string): EmailTemplate => ({
  subject: say`“${title}” was rejected`,
  paragraphs: [
    say`Your form “${title}” (${numberOf(id)}) was rejected for this reason:`,
    reason,
    say`Use the link below to change and resubmit your form.`,
  ],
})

export const revokedEmail = ({ id, title }: Submission, reason: string): EmailTemplate => ({
  subject: say`The approval of “${title}” was revoked`,
  paragraphs: [say`The approval of “${title}” (${numberOf(id)}) was revoked for this reason:`, reason],
})

export const replyEmail = (id: number, text: string): EmailTemplate => ({
  subject: say`Reply about your form ${numberOf(id)}`,
  paragraphs: [text, say`Please do not reply to this email. Use the link below to contact us.`],
})

export const linkText = () => say`View your form and all messages (this link works for ${LINK_DAYS} days):`
export const signature = (company: Company): string => company.name
