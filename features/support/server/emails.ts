import { LINK_DAYS } from '../../../shared/cases.ts'
import { say } from '../../../shared/words.ts'
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
    say`We have received your support request. Its number is ${numberOf(id)}. We will answer you at this address.`,
    say`If this was not you, you need not do anything.`,
  ],
})

export const replyEmail = (id: number, text: string, completed: boolean): EmailTemplate => ({
  subject: say`Answer to your support request ${numberOf(id)}`,
  paragraphs: [
    text,
    completed
      ? say`With this we close ${numberOf(id)}. If something is still missing, write to us by the link below: that opens it again.`
      : say`Please do not answer this mail: write to us by the link below.`,
  ],
})

export const completedEmail = (id: number): EmailTemplate => ({
  subject: say`Your support request ${numberOf(id)} is completed`,
  paragraphs: [
    say`Your support request ${numberOf(id)} is completed. If something is still missing, write to us by the link below: that opens it again.`,
  ],
})

export const linkText = () => say`Your request and all answers, for ${LINK_DAYS} days:`
export const signature = (company: Company): string => say`Website Support of ${company.name}`
