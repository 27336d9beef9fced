import { originOf } from '../../../server/config.ts'
import type { Company } from '../../../server/hosts.ts'
import type { House } from '../../../server/house.ts'
import { escapeHtml } from '../../../server/html.ts'
import { hashSecret, newSecret } from '../../../server/sessions.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { LINK_DAYS, numberOf } from '../rules.ts'

/**
 * The mails of the support. None repeats what was typed into the form, the name neither: the address may be somebody
 * else's, who must not be written to in a stranger's words.
 */
interface Letter {
  subject: string
  paragraphs: readonly string[]
}

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

/** Puts a letter into the town's outbox, with a new link to the conversation. Whoever left no email gets none. */
export async function mailTo(
  tx: Tx,
  house: House,
  company: Company,
  request: { id: number; email: string },
  { subject, paragraphs }: Letter,
): Promise<void> {
  if (request.email === '') return
  const link = await makeLink(tx, house, company, request.id)
  const before = [...paragraphs, `Your request and all answers, for ${LINK_DAYS} days:`]
  const after = `Website Support of ${company.name}`
  await house.mailer.send(tx, company.id, {
    to: request.email,
    subject,
    text: [...before, link, after].join('\n\n'),
    html: [
      ...before.map((text) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`),
      `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`,
      `<p>${escapeHtml(after)}</p>`,
    ].join('\n'),
  })
}

/** A way back to the conversation. Only the mail ever holds its secret; earlier links work on. */
async function makeLink(tx: Tx, house: House, company: Company, requestId: number): Promise<string> {
  const secret = newSecret()
  const now = house.clock.now()
  await tx
    .insertInto('support_link')
    .values({
      company_id: company.id,
      token_hash: hashSecret(secret),
      request_id: requestId,
      created_at: now,
      expires_at: new Date(now.getTime() + LINK_DAYS * 86_400_000),
    })
    .execute()
  return `${originOf(house.config, company.subdomain)}/support/${secret}`
}
