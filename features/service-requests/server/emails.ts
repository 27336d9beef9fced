import { LINK_DAYS } from '../../../shared/cases.ts'
import { say } from '../../../shared/messages.ts'
import type { Company } from '../../../server/hosts.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf } from '../rules.ts'

/**
 * Email templates for requests. They never contain text from the request form, because the email address may belong to
 * another person.
 */
export const receivedEmail = (id: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)}`,
  paragraphs: [
    say`We received your request. Its number is ${numberOf(id)}. Use the link below to follow its status, add information, or cancel it.`,
    say`If you did not submit anything to us, you can ignore this email.`,
  ],
})

export const replyEmail = (id: number, text: string, completed: boolean): EmailTemplate => ({
  subject: say`Reply to your request ${numberOf(id)}`,
  paragraphs: [
    text,
    completed
      ? say`Your request ${numberOf(id)} has been completed. Please use the link below to tell us if the problem was fixed.`
      : say`Please do not reply to this email. Use the link below to contact us.`,
  ],
})

export const startedEmail = (id: number): EmailTemplate => ({
  subject: say`Work on your request ${numberOf(id)} has started`,
  paragraphs: [say`We are working on your request ${numberOf(id)}.`],
})

export const completedEmail = (id: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} has been completed`,
  paragraphs: [
    say`Your request ${numberOf(id)} has been completed. Please use the link below to tell us if the problem was fixed. If it was not, we will reopen the request.`,
  ],
})

export const reopenedEmail = (id: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} is open again`,
  paragraphs: [say`We reopened your request ${numberOf(id)}.`],
})

export const invalidRequestEmail = (id: number, reason: string): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} was closed`,
  paragraphs: [say`We cannot work on your request ${numberOf(id)} for this reason:`, reason],
})

export const mergedEmail = (id: number, into: number): EmailTemplate => ({
  subject: say`The problem in request ${numberOf(id)} was already reported`,
  paragraphs: [
    say`The problem in your request ${numberOf(id)} was already reported as request ${numberOf(into)}. You will get updates on that request.`,
  ],
})

export const linkLabel = () => say`For ${LINK_DAYS} days, you can view your request and all replies here:`
export const signature = (company: Company): string => company.name
