import { LINK_DAYS } from '../../../shared/cases.ts'
import { say } from '../../../shared/words.ts'
import type { Company } from '../../../server/hosts.ts'
import { defineNotice, type EmailTemplate } from '../../../server/notices/notice.ts'
import { numberOf } from '../rules.ts'

/** Emails about moves. They repeat no text from the form, because the email address may belong to another person. */
export const receivedEmail = (id: number): EmailTemplate => ({
  subject: say`Your move ${numberOf(id)}`,
  paragraphs: [
    say`We have received your move. Its number is ${numberOf(id)}. By the link below you see where it stands, write to us, or withdraw it.`,
    say`If this was not you, you need not do anything.`,
  ],
})

/** @param notices effects of the move for the requester */
export const completedEmail = (id: number, notices: readonly string[]): EmailTemplate => ({
  subject: say`Your move ${numberOf(id)} is complete`,
  paragraphs: [
    say`Your move ${numberOf(id)} is complete. If you have a question about it, write to us by the link below.`,
    ...notices,
  ],
})

export const daysEmail = (id: number): EmailTemplate => ({
  subject: say`The days of your move ${numberOf(id)} have changed`,
  paragraphs: [
    say`We have changed the days of your move ${numberOf(id)}. By the link below you see which they are now.`,
  ],
})

export const replyEmail = (id: number, text: string): EmailTemplate => ({
  subject: say`Answer to your move ${numberOf(id)}`,
  paragraphs: [text, say`Please do not answer this mail: write to us by the link below.`],
})

export const linkLabel = () => say`Your move and all answers, for ${LINK_DAYS} days:`
export const signature = (company: Company): string => company.name

interface OwnerNoticeData {
  number: string
  token: string
  days: number
}
/** Owners can't turn this notice off, because it asks them for an agreement. */
export const ownerNotice = defineNotice<OwnerNoticeData>({
  event: 'move.owner_asked',
  required: true,
  why: ({ name }) => say`You get this mail because somebody named you as the owner of a place in ${name}.`,
  content: ({ number, token, days }, at) => ({
    subject: say`Do you agree to move ${number}?`,
    paragraphs: [
      say`Somebody asked the municipality for a move to or from a place of yours. Please tell us whether you agree.`,
      { label: say`See the move and answer`, url: at.url(`/relocate/owner/${token}`) },
      say`The link counts for ${days} days. If the place is not yours, refuse, or do nothing.`,
    ],
  }),
})
