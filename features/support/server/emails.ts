import { LINK_DAYS } from '../../../shared/cases.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf } from '../rules.ts'

/**
 * Email templates for support requests. They never repeat text or names from the form, because the email address may
 * belong to another person.
 */
export const receivedEmail = (id: number): EmailTemplate => ({
  subject: say`Your support request ${numberOf(id)}`,
  paragraphs: [
    say`We received your support request. Its number is ${numberOf(id)}. We will reply to this address.`,
    say`If you did not submit anything to us, you can ignore this email.`,
  ],
})

export const replyEmail = (id: number, text: string, completed: boolean): EmailTemplate => ({
  subject: say`Reply to your support request ${numberOf(id)}`,
  paragraphs: [
    text,
    completed
      ? say`With this reply, we are closing your support request ${numberOf(id)}. If you need more help, use the link below to write to us and reopen the request.`
      : say`Please do not reply to this email. Use the link below to contact us.`,
  ],
})

export const completedEmail = (id: number): EmailTemplate => ({
  subject: say`Your support request ${numberOf(id)} has been completed`,
  paragraphs: [
    say`Your support request ${numberOf(id)} has been completed. If you need more help, use the link below to write to us and reopen the request.`,
  ],
})

export const linkText = () => say`For ${LINK_DAYS} days, you can view your request and all replies here:`
export const signature = (company: Company): string => say`${company.name} Website Support`
