import { LINK_DAYS } from '../../../shared/cases.ts'
import type { Company } from '../../../server/hosts.ts'
import type { Letter } from '../../../server/notices/notice.ts'
import { numberOf } from '../rules.ts'

/**
 * The mails of the support. None repeats what was typed into the form, the name neither: the address may be somebody
 * else's, who must not be written to in a stranger's words.
 */
export const receivedLetter = (id: number): Letter => ({
  subject: `Your support request ${numberOf(id)}`,
  paragraphs: [
    `We have received your support request. Its number is ${numberOf(id)}. We will answer you at this address.`,
    'If this was not you, you need not do anything.',
  ],
})

export const replyLetter = (id: number, text: string, completed: boolean): Letter => ({
  subject: `Answer to your support request ${numberOf(id)}`,
  paragraphs: [
    text,
    completed
      ? `With this we close ${numberOf(id)}. If something is still missing, write to us by the link below: that opens it again.`
      : 'Please do not answer this mail: write to us by the link below.',
  ],
})

export const completedLetter = (id: number): Letter => ({
  subject: `Your support request ${numberOf(id)} is completed`,
  paragraphs: [
    `Your support request ${numberOf(id)} is completed. If something is still missing, write to us by the link below: that opens it again.`,
  ],
})

export const linkWords = `Your request and all answers, for ${LINK_DAYS} days:`
export const signature = (company: Company): string => `Website Support of ${company.name}`
