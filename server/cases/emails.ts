import { LINK_DAYS } from '../../shared/cases.ts'
import { say } from '../../shared/messages.ts'
import type { Clock } from '../clock.ts'
import { notFound } from '../errors.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { defineNotice, type EmailTemplate } from '../notices/notice.ts'
import { notify, noticeSenderOf } from '../notices/notify.ts'
import type { ItemOwner } from '../ongoing-items.ts'
import { hashSecret, newSecret } from '../sessions.ts'
import type { Tx } from '../tenancy.ts'
import { findCase } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

interface PersonNoticeData {
  email: () => EmailTemplate
  /** Returns the text message that accompanies the email. Null if none. */
  texted: () => string | null
  linkText: () => string
  link: string
  signature: () => string
  toCaller: boolean
}

/** Email to the requester. The email has no opt-out, because the requester asked for the reply. */
const toPerson = defineNotice<PersonNoticeData>({
  event: 'case.to_person',
  required: true,
  toCaller: ({ toCaller }) => toCaller,
  why: ({ name }) => say`You are receiving this email because this address was entered in a request to ${name}.`,
  content: ({ email, linkText, link, signature }) => {
    const { subject, paragraphs } = email()
    return {
      subject,
      paragraphs: [...paragraphs, linkText(), { label: say`View your request`, url: link }],
      signature: signature(),
    }
  },
  text: { kind: 'conversations', waitSeconds: 60, content: ({ texted }) => texted() },
})

/**
 * Emails the requester in their language, with a new link to the case. Requesters without an email address get none.
 * `texted` is the text message for requesters who agreed to text messages.
 */
export async function emailPerson<Row extends CaseRow>(
  tx: Tx,
  context: AppContext,
  of: CaseKind<Row>,
  company: Company,
  row: Row,
  createEmail: () => EmailTemplate,
  { toCaller = false, texted = () => null }: { toCaller?: boolean; texted?: () => string | null } = {},
): Promise<void> {
  const { email, id } = of.person(row)
  if (email === '') return
  const link = noticeSenderOf(context, company).url(
    of.messagesPath(await newCaseLink(tx, context, of, company, row.id)),
  )
  const noticeData = {
    email: createEmail,
    texted,
    linkText: of.linkText,
    link,
    signature: () => of.signature(company),
    toCaller,
  }
  const recipient = typeof id === 'number' ? { person: id } : {}
  await notify(tx, context, { at: company, to: email, notice: toPerson, data: noticeData, ...recipient })
}

/** Creates the secret of a new link to the case. Only the recipient gets the secret. Earlier links still work. */
export async function newCaseLink(
  tx: Tx,
  { clock }: { clock: Clock },
  of: Pick<CaseKind, 'calls'>,
  company: Company,
  subjectId: number,
): Promise<string> {
  const secret = newSecret()
  const now = clock.now()
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
  return secret
}

/**
 * Creates a new link to a signed-in person's own case.
 * @throws 404 if the case does not exist or belongs to another person
 */
export async function linkToOwnCase<Row extends CaseRow & { person_id: number | null }>(
  tx: Tx,
  owner: ItemOwner,
  of: CaseKind<Row>,
  id: number,
): Promise<string> {
  const row = await findCase(tx, of, owner.company.id, id)
  if (row.person_id !== owner.person) throw notFound(of.texts.notFound)
  return newCaseLink(tx, owner, of, owner.company, row.id)
}
