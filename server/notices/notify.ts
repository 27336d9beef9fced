import { PLATFORM } from '../audit.ts'
import { originOf } from '../config.ts'
import type { Company } from '../hosts.ts'
import type { AppContext } from '../app-context.ts'
import { inEnglish } from '../languages.ts'
import { recipientOf } from '../current-preview.ts'
import { textResident } from '../sms/queue.ts'
import { companyIdFrom, type Tx } from '../tenancy.ts'
import { layOut } from './layout.ts'
import { type EmailTemplate, type Notice, type NoticeSender, stoppableNotice, type StoppableNotice } from './notice.ts'
import { hasOptedOut, unsubscribePath } from './opt-outs.ts'
import { translated } from '../../shared/messages.ts'

/** Returns the sender of notices: the company, or the platform if `company` is null. */
export const noticeSenderOf = ({ config }: Pick<AppContext, 'config'>, company: Company | null): NoticeSender => ({
  company,
  name: company?.name ?? 'Mainstreet',
  url: (path) => originOf(config, company?.subdomain ?? 'admin') + path,
})

interface NotifyInput<Data> {
  /** Company that sends the notice, or null for the platform. The transaction must have that sender's permissions. */
  at: Company | null
  to: string
  /** Id of the resident with this email address. If set, their alert settings apply, and they may get text messages. */
  person?: number
  notice: Notice<Data>
  data: Data
}

const JOB = 'notices.send'

interface PendingNotice {
  company: number | null
  address: string
  event: string
}

/**
 * Notifies a person of an event. The portal sends the notice after the caller's transaction commits. If the transaction
 * rolls back, the portal sends nothing.
 */
export async function notify<Data>(tx: Tx, context: AppContext, input: NotifyInput<Data>): Promise<void> {
  const { at, notice, data } = input
  const to = recipientOf(input.to)
  const sender = noticeSenderOf(context, at)
  if (notice.text && at && input.person !== undefined) {
    const { kind, waitSeconds = 0, content: textOf } = notice.text
    const toCaller = notice.required && notice.toCaller?.(data)
    const text = toCaller ? textOf(data) : inEnglish(() => textOf(data))
    const wait = context.config.demo ? 0 : waitSeconds
    const sms = { company: at, person: input.person, event: notice.event, kind, waitSeconds: wait }
    if (text !== null) await textResident(tx, context, { ...sms, body: text })
  }
  if (notice.required) {
    const emailNotice = () => sendNoticeEmail(tx, context, sender, { to, notice, email: notice.content(data, sender) })
    return notice.toCaller?.(data) ? emailNotice() : inEnglish(emailNotice)
  }
  const now = context.clock.now()
  const pendingNotice = { address: to.toLowerCase(), event: notice.event }
  await tx
    .insertInto('pending_notice')
    .values({
      ...pendingNotice,
      company_id: at?.id ?? PLATFORM,
      person_id: input.person ?? null,
      data: JSON.stringify(data),
      at: now,
    })
    .execute()
  // Each notice queues a job. The first job sends all pending notices, and later jobs find none. The demo sends notices
  // without delay, because people who try it expect the email immediately.
  const seconds = context.config.demo ? 0 : notice.waitSeconds
  const after = new Date(now.getTime() + seconds * 1000)
  await context.jobs.enqueue(tx, JOB, { ...pendingNotice, company: at?.id ?? null } satisfies PendingNotice, { after })
}

/** Defines the job that sends pending notices as one email. */
export function defineNoticeJobs(context: AppContext): void {
  context.jobs.define<PendingNotice>(JOB, async ({ company, address, event }) => {
    const notice = stoppableNotice(event)
    if (!notice) throw new Error(`there is no notice ${event}`)
    if (company === null)
      return context.acrossCompanies((tx) => sendPending(tx, context, noticeSenderOf(context, null), address, notice))
    const id = companyIdFrom('job', company)
    return context.inCompany(id, async (tx) => {
      const company = await context.hosts.byId(id, tx)
      if (company) await sendPending(tx, context, noticeSenderOf(context, company), address, notice)
    })
  })
}

/**
 * Removes the pending notices and queues their email in one transaction. If the job crashes or repeats, each notice is
 * still sent only once.
 */
async function sendPending(
  tx: Tx,
  context: AppContext,
  at: NoticeSender,
  address: string,
  notice: StoppableNotice<unknown>,
): Promise<void> {
  const mailbox = { company: at.company?.id ?? PLATFORM, address }
  const claimed = await tx
    .deleteFrom('pending_notice')
    .where('company_id', '=', mailbox.company)
    .where('address', '=', address)
    .where('event', '=', notice.event)
    .returning(['id', 'data', 'person_id'])
    .execute()
  if (claimed.length === 0) return
  if (await hasOptedOut(tx, mailbox, notice.event, claimed[0]?.person_id ?? null)) return
  const inOrder = claimed.toSorted((one, other) => one.id - other.id)
  // Keeps only one of several identical notices.
  const all = [...new Map(inOrder.map(({ data }) => [JSON.stringify(data), data])).values()]
  const email = all.length === 1 ? notice.content(all[0], at) : notice.together(all, at)
  const unsubscribeUrl = at.url(unsubscribePath(context, mailbox, notice.event))
  await sendNoticeEmail(tx, context, at, { to: address, notice, email, unsubscribeUrl })
}

interface AddressedNotice {
  to: string
  notice: Pick<Notice<unknown>, 'why' | 'event'>
  email: EmailTemplate
  unsubscribeUrl?: string
}

async function sendNoticeEmail(
  tx: Tx,
  context: AppContext,
  at: NoticeSender,
  addressed: AddressedNotice,
): Promise<void> {
  const { to, notice, email, unsubscribeUrl } = addressed
  const { attachments } = email
  const subject = translated(email.subject)
  const { text, html } = layOut(at, email, { why: notice.why(at), unsubscribeUrl: unsubscribeUrl ?? null })
  const extra = { event: notice.event, ...(attachments && { attachments }), ...(unsubscribeUrl && { unsubscribeUrl }) }
  await context.mailer.send(tx, at.company?.id ?? null, { to, subject, text, html, ...extra })
}
