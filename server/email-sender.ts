import { createTransport } from 'nodemailer'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Pools } from './db/pool.ts'
import {
  type Attachment,
  findAllUnsent,
  findUnsent,
  recordAttempt,
  markSent,
  type OutgoingEmail,
} from './email-outbox.ts'
import { forgetRefusals, isRefusal, pauseAddress, ADDRESS_PAUSED } from './notices/refused-addresses.ts'
import { type CompanyId, outsideCompanies, tenancyOn, type Tx } from './tenancy.ts'

/** Number of mail server connections for bulk emails. */
const CONCURRENCY = 5
/**
 * Maximum number of attempts to send an email. The queue doubles the delay each time, so the attempts take several
 * hours.
 */
export const MAX_ATTEMPTS = 9
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

interface Parts {
  config: Pick<Config, 'email' | 'baseHost'>
  clock: Clock
  db: Pools
  /** Renders the content of an attachment. */
  render: (company: CompanyId, attachment: Attachment) => Promise<Buffer>
  /** Queues a separate job that retries an email. */
  retry: (tx: Tx, company: CompanyId, id: number) => Promise<void>
}

/**
 * Creates the functions that send the emails of the outboxes through the mail server. Without a mail server, the
 * functions do nothing.
 */
export function openEmailSender({ config, clock, db, render, retry }: Parts) {
  const [inCompany, platform] = [tenancyOn(db.app), outsideCompanies(db.platform)]
  const { smtpUrl, from } = config.email
  const transport = smtpUrl === null ? null : createTransport({ url: smtpUrl, ...TIMEOUTS })

  const within = <T>(company: CompanyId | null, work: (tx: Tx) => Promise<T>): Promise<T> =>
    company === null ? platform(work) : inCompany(company, work)

  const messageOf = (company: number | null, id: number, email: OutgoingEmail) => ({
    from,
    to: email.to_address,
    subject: email.subject,
    text: email.text_body,
    html: email.html_body,
    // Every attempt uses the same id, so that email programs recognize a repeated email.
    messageId: `<${company ?? 'platform'}.${id}@${config.baseHost}>`,
    ...(email.unsubscribe_url && {
      headers: {
        'List-Unsubscribe': `<${email.unsubscribe_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  })

  /**
   * Sends the given emails in parallel, except those that were already sent. A separate job retries each email that
   * fails.
   */
  async function sendMany(company: CompanyId, ids: readonly number[]): Promise<void> {
    if (smtpUrl === null) return
    const unsent = await inCompany(company, (tx) => findAllUnsent(tx, company, ids, clock.now()))
    if (unsent.length === 0) return
    const shared = createTransport({ url: smtpUrl, pool: true, maxConnections: CONCURRENCY, ...TIMEOUTS })
    const [sent, failed]: [number[], number[]] = [[], []]
    await Promise.all(
      unsent.map(async ({ id, ...email }) => {
        if (email.rests) return void failed.push(id)
        await shared.sendMail(messageOf(company, id, email)).then(
          () => sent.push(id),
          () => failed.push(id),
        )
      }),
    )
    shared.close()
    await inCompany(company, async (tx) => {
      await markSent(tx, company, sent, clock.now())
      // The job that retries the email also handles the error.
      for (const id of failed) await retry(tx, company, id)
    })
  }

  /**
   * Sends one email.
   * @throws Error if a later attempt may succeed
   */
  async function sendOne(company: CompanyId | null, id: number): Promise<void> {
    const email = await within(company, (tx) => findUnsent(tx, company, id))
    if (!email || !transport) return
    const at = { company, address: email.to_address }
    if (email.rests_until && email.rests_until > clock.now()) {
      await within(company, (tx) =>
        recordAttempt(tx, company, id, { last_error: ADDRESS_PAUSED, failed_at: clock.now() }),
      )
      return
    }
    const attachments = await Promise.all(
      email.attachments.map(async (attachment) => ({
        filename: attachment.filename,
        contentType: attachment.contentType,
        // Only a company's emails have attachments.
        content: company === null ? '' : await render(company, attachment),
      })),
    )
    try {
      await transport.sendMail({ ...messageOf(company, id, email), attachments })
    } catch (error) {
      const refused = isRefusal(error)
      const failed_at = refused || email.attempts + 1 >= MAX_ATTEMPTS ? clock.now() : null
      await within(company, async (tx) => {
        await recordAttempt(tx, company, id, { last_error: nameOf(error), failed_at })
        if (refused) await pauseAddress(tx, clock, at, nameOf(error))
      })
      if (refused) return
      throw new Error(`a mail could not be handed over: ${nameOf(error)}`)
    }
    await within(company, async (tx) => {
      await recordAttempt(tx, company, id, { sent_at: clock.now(), last_error: null, failed_at: null })
      if (email.rests_until) await forgetRefusals(tx, at)
    })
  }

  return { sendOne, sendMany }
}

/**
 * Returns the code of a mail error. Only the code is saved, because the error message may quote the recipient's
 * address.
 */
const nameOf = (error: unknown): string => {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return String(responseCode ?? code ?? 'no answer')
}
