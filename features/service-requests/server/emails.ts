import { LINK_DAYS } from '../../../shared/cases.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf } from '../rules.ts'

/**
 * Email templates for requests. They never repeat text from the form, because the email address may belong to another
 * person.
 */
export const receivedEmail = (id: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)}`,
  paragraphs: [
    say`We have received your request. Its number is ${numberOf(id)}. By the link below you see what becomes of it, add to it, or cancel it.`,
    say`If this was not you, you need not do anything.`,
  ],
})

export const replyEmail = (id: number, text: string, completed: boolean): EmailTemplate => ({
  subject: say`Answer to your request ${numberOf(id)}`,
  paragraphs: [
    text,
    completed
      ? say`With this ${numberOf(id)} is completed. Please tell us by the link below whether it was mended.`
      : say`Please do not answer this mail: write to us by the link below.`,
  ],
})

export const startedEmail = (id: number): EmailTemplate => ({
  subject: say`Work on your request ${numberOf(id)} has begun`,
  paragraphs: [say`We are working on your request ${numberOf(id)}.`],
})

export const completedEmail = (id: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} is completed`,
  paragraphs: [
    say`Your request ${numberOf(id)} is completed. Please look at it by the link below and tell us whether it was mended. If it was not, we open it again.`,
  ],
})

export const reopenedEmail = (id: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} is open again`,
  paragraphs: [say`We have opened your request ${numberOf(id)} again.`],
})

export const invalidRequestEmail = (id: number, reason: string): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} is closed`,
  paragraphs: [say`We can not work on your request ${numberOf(id)}, for this reason:`, reason],
})

export const mergedEmail = (id: number, into: number): EmailTemplate => ({
  subject: say`Your request ${numberOf(id)} was reported before`,
  paragraphs: [
    say`What you reported as ${numberOf(id)} is known already, as ${numberOf(into)}. You will hear what becomes of that one.`,
  ],
})

export const linkLabel = () => say`Your request and all answers, for ${LINK_DAYS} days:`
export const signature = (company: Company): string => company.name
