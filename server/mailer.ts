import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Pools } from './db/pool.ts'
import { addEmail, addEmails, type Attachment, type OutboxEmail } from './email-outbox.ts'
import type { Jobs } from './jobs.ts'
import { MAX_ATTEMPTS, openEmailSender } from './email-sender.ts'
import { type CompanyId, companyIdFrom, type Tx } from './tenancy.ts'

type AttachmentRenderer = (company: CompanyId, of: number) => Promise<Buffer>

export interface Mailer {
  /**
   * Adds an email to the company's outbox, in the caller's transaction. The portal sends the email after the commit.
   * Without an SMTP server, the email stays in the outbox. If `company` is null, uses the platform's outbox, and the
   * transaction needs the platform's permissions.
   * @returns The id of the email in that outbox
   */
  send(tx: Tx, company: CompanyId | null, email: OutboxEmail): Promise<number>
  /**
   * Adds emails to a company's outbox in one statement, one for each address. The caller may deliver the emails after
   * the commit (`deliver`). If the process dies first, a job delivers them.
   * @returns The ids of the emails, in the same order
   */
  sendMany(tx: Tx, company: CompanyId, emails: readonly Omit<OutboxEmail, 'attachments'>[]): Promise<number[]>
  /**
   * Sends the given emails in parallel, except those that were already sent. Separate jobs retry the emails that fail.
   */
  deliver(company: CompanyId, ids: readonly number[]): Promise<void>
  /** Registers a renderer of email attachments under a name. Features call this during setup. */
  renders(name: string, render: AttachmentRenderer): void
  /** Renders the current content of an attachment. */
  rendered(company: CompanyId, attachment: Attachment): Promise<Buffer>
}

const JOB = 'email.send'
const MANY = 'email.send-many'
/**
 * Time in which the caller can deliver queued emails, in milliseconds. After this time, a job sends the remaining
 * emails.
 */
const STALE_MS = 120_000

interface Parts {
  config: Pick<Config, 'email' | 'baseHost'>
  clock: Clock
  jobs: Jobs
  db: Pools
}

export function openMailer({ config, clock, jobs, db }: Parts): Mailer {
  const isSending = config.email.smtpUrl !== null
  const drawers = new Map<string, AttachmentRenderer>()
  const render = async (company: CompanyId, { renderedBy, of }: Attachment): Promise<Buffer> => {
    const render = drawers.get(renderedBy)
    if (!render) throw new Error(`nobody renders attachments of ${renderedBy}`)
    return render(company, of)
  }
  const retry = (tx: Tx, company: CompanyId, id: number) => jobs.enqueue(tx, JOB, { company, id })
  const { sendOne, sendMany } = openEmailSender({ config, clock, db, render, retry })

  jobs.define<{ company: number; ids: number[] }>(
    MANY,
    ({ company, ids }) => sendMany(companyIdFrom('job', company), ids),
    { retryLimit: 2 },
  )
  jobs.define<{ company: number | null; id: number }>(
    JOB,
    ({ company, id }) => sendOne(company === null ? null : companyIdFrom('job', company), id),
    { retryLimit: MAX_ATTEMPTS - 1 },
  )

  return {
    deliver: sendMany,
    sendMany: async (tx, company, emails) => {
      const now = clock.now()
      const ids = await addEmails(tx, company, emails, now)
      const after = new Date(now.getTime() + STALE_MS)
      if (isSending && ids.length > 0) await jobs.enqueue(tx, MANY, { company, ids }, { after })
      return ids
    },
    renders: (name, render) => void drawers.set(name, render),
    rendered: render,
    send: async (tx, company, email) => {
      const id = await addEmail(tx, company, email, clock.now())
      if (isSending) await jobs.enqueue(tx, JOB, { company, id })
      return id
    },
  }
}
