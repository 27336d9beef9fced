import { LINK_DAYS } from '../../../shared/cases.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf, submissionStatus } from '../rules.ts'
import type { Submission } from './row.ts'

/** Emails about submissions. They link to the answers, so that mailboxes do not store the answers. */
export const sentEmail = ({ id, title, fee_cents, status }: Submission): EmailTemplate => ({
  subject: say`We have received “${title}”`,
  paragraphs: [
    say`We have received your form “${title}”. Its number is ${numberOf(id)}. By the link below you see your answers and what becomes of it.`,
    ...(status === submissionStatus.paymentRequired
      ? [say`It costs ${formatCents(fee_cents)}. We begin to review it once that is paid.`]
      : []),
  ],
})

export const moreInfoEmail = ({ id, title }: Submission, reason: string): EmailTemplate => ({
  subject: say`We have a question about “${title}”`,
  paragraphs: [
    say`To go on with ${numberOf(id)} we need something more:`,
    reason,
    say`By the link below you answer, or change your form and send it again.`,
  ],
})

export const approvedEmail = ({ id, title }: Submission): EmailTemplate => ({
  subject: say`“${title}” is approved`,
  paragraphs: [say`Your form “${title}” (${numberOf(id)}) is approved.`],
})

export const rejectedEmail = ({ id, title }: Submission, reason: string): EmailTemplate => ({
  subject: say`“${title}” was rejected`,
  paragraphs: [
    say`Your form “${title}” (${numberOf(id)}) was rejected, for this reason:`,
    reason,
    say`By the link below you can change it and send it again.`,
  ],
})

export const revokedEmail = ({ id, title }: Submission, reason: string): EmailTemplate => ({
  subject: say`The approval of “${title}” was revoked`,
  paragraphs: [say`The approval of “${title}” (${numberOf(id)}) was revoked, for this reason:`, reason],
})

export const replyEmail = (id: number, text: string): EmailTemplate => ({
  subject: say`Answer to ${numberOf(id)}`,
  paragraphs: [text, say`Please do not answer this mail: write to us by the link below.`],
})

export const linkText = () => say`Your form and all answers, for ${LINK_DAYS} days:`
export const signature = (company: Company): string => company.name
