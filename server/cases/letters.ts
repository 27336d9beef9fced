import { LINK_DAYS } from '../../shared/cases.ts'
import { originOf } from '../config.ts'
import type { Company } from '../hosts.ts'
import type { House } from '../house.ts'
import { escapeHtml } from '../html.ts'
import type { Mail } from '../mail.ts'
import { hashSecret, newSecret } from '../sessions.ts'
import type { Tx } from '../tenancy.ts'
import type { CaseKind, CaseRow, Letter } from './kinds.ts'

/** Puts a letter into the town's outbox, with a new link to the conversation. Whoever left no email gets none. */
export async function mailPerson<Row extends CaseRow>(
  tx: Tx,
  house: House,
  of: CaseKind<Row>,
  company: Company,
  row: Row,
  { subject, paragraphs }: Letter,
): Promise<void> {
  const { email } = of.person(row)
  if (email === '') return
  const link = await makeLink(tx, house, of, company, row.id)
  await house.mailer.send(
    tx,
    company.id,
    letterMail(email, subject, [...paragraphs, of.linkWords, link, of.signature(company)]),
  )
}

/** Plain paragraphs as a mail; a paragraph that is an address of ours becomes a link. */
export const letterMail = (to: string, subject: string, paragraphs: readonly string[]): Mail => ({
  to,
  subject,
  text: paragraphs.join('\n\n'),
  html: paragraphs
    .map((text) =>
      /^https?:\/\/\S+$/.test(text)
        ? `<p><a href="${escapeHtml(text)}">${escapeHtml(text)}</a></p>`
        : `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`,
    )
    .join('\n'),
})

/** A way back to the conversation. Only the mail ever holds its secret; earlier links work on. */
async function makeLink(tx: Tx, house: House, of: CaseKind, company: Company, subjectId: number): Promise<string> {
  const secret = newSecret()
  const now = house.clock.now()
  await tx
    .insertInto('case_link')
    .values({
      company_id: company.id,
      token_hash: hashSecret(secret),
      subject_kind: of.calls.kind,
      subject_id: subjectId,
      created_at: now,
      expires_at: new Date(now.getTime() + LINK_DAYS * 86_400_000),
    })
    .execute()
  return originOf(house.config, company.subdomain) + of.conversationPath(secret)
}
