import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Pools } from './db/pool.ts'
import type { Jobs } from './jobs.ts'
import { forgetRefusals, isRefusal, noteRefusal, restOf, RESTS } from './notices/refused-addresses.ts'
import { type CompanyId, companyIdFrom, outsideCompanies, tenancyOn, type Tx } from './tenancy.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  attachments?: readonly Attachment[]
  /** Unsubscribe URL. Mail programs show it next to the sender. */
  stopUrl?: string
  /** Notice event of the email. */
  event?: string
}

/** File that is rendered when the email leaves. So no transaction waits for it, and the outbox contains no bytes. */
export interface Attachment {
  filename: string
  contentType: string
  /** Name of the renderer from `draws`, and the id of the company's subject to render. */
  drawnBy: string
  of: number
}

type AttachmentRenderer = (company: CompanyId, of: number) => Promise<Buffer>

export interface Mailer {
  /**
   * Adds an email to the company's outbox, in the caller's transaction. It is sent after the commit. Without an SMTP
   * server it stays in the outbox. Without a company (null) it is the platform's, in a transaction with platform
   * permissions.
   * @returns Its number in that outbox
   */
  send(tx: Tx, company: CompanyId | null, mail: Mail): Promise<number>
  /**
   * Adds emails to a company's outbox in one statement, one for each address. The caller may deliver them after the
   * commit (`deliver`). If the process dies first, a job delivers them.
   * @returns Their numbers, in the order of the emails
   */
  sendMany(tx: Tx, company: CompanyId, mails: readonly Omit<Mail, 'attachments'>[]): Promise<number[]>
  /** Sends the unsent emails among these, in parallel. Separate jobs retry those that fail. */
  deliver(company: CompanyId, ids: readonly number[]): Promise<void>
  /** Registers the renderer of an attachment name. Features call it during setup. */
  draws(name: string, draw: AttachmentRenderer): void
  /** Renders an attachment's current content. */
  drawn(company: CompanyId, attachment: Attachment): Promise<Buffer>
}

const JOB = 'mail.send'
const MANY = 'mail.send-many'
/** Time for the caller to deliver queued emails, in milliseconds. After it, a job sends the rest. */
const LEFT_BEHIND_MS = 120_000
/** Mail server connections shared by bulk emails. */
const CONCURRENCY = 5
/** Spread over several hours, because the queue doubles its delay. */
const MAX_ATTEMPTS = 9

interface Parts {
  config: Pick<Config, 'mail' | 'baseHost'>
  clock: Clock
  jobs: Jobs
  db: Pools
}

export function openMailer({ config, clock, jobs, db }: Parts): Mailer {
  const [inCompany, platform] = [tenancyOn(db.app), outsideCompanies(db.platform)]
  const { smtpUrl, from } = config.mail
  const within10s = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }
  const transport = smtpUrl === null ? null : createTransport({ url: smtpUrl, ...within10s })

  const drawers = new Map<string, AttachmentRenderer>()
  const render = async (company: CompanyId, { drawnBy, of }: Attachment): Promise<Buffer> => {
    const draw = drawers.get(drawnBy)
    if (!draw) throw new Error(`nobody draws attachments of ${drawnBy}`)
    return draw(company, of)
  }

  const within = <T>(company: CompanyId | null, work: (tx: Tx) => Promise<T>): Promise<T> =>
    company === null ? platform(work) : inCompany(company, work)

  /** Same id in every attempt, so that recipients recognize a repeated email. */
  const idOf = (company: number | null, id: number) => `<${company ?? 'platform'}.${id}@${config.baseHost}>`

  const emailOf = (company: number | null, id: number, mail: OutgoingMail) => ({
    ...{ from, to: mail.to_address, subject: mail.subject, text: mail.text_body, html: mail.html_body },
    messageId: idOf(company, id),
    ...(mail.unsubscribe_url && {
      headers: {
        'List-Unsubscribe': `<${mail.unsubscribe_url}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
  })

  async function deliver(company: CompanyId, ids: readonly number[]): Promise<void> {
    if (smtpUrl === null) return
    const waiting = await inCompany(company, (tx) => findAllUnsent(tx, company, ids, clock.now()))
    if (waiting.length === 0) return
    const shared = createTransport({ url: smtpUrl, pool: true, maxConnections: CONCURRENCY, ...within10s })
    const [sent, failed]: [number[], number[]] = [[], []]
    await Promise.all(
      waiting.map(async ({ id, ...mail }) => {
        if (mail.rests) return void failed.push(id)
        await shared.sendMail(emailOf(company, id, mail)).then(
          () => sent.push(id),
          () => failed.push(id),
        )
      }),
    )
    shared.close()
    await inCompany(company, async (tx) => {
      await sql`
        UPDATE email_outbox SET sent_at = ${clock.now()}, last_error = NULL, failed_at = NULL, attempts = attempts + 1
        WHERE company_id = ${company} AND id = ANY (${sent}::bigint[])`.execute(tx)
      // A separate job finds the error and handles it.
      for (const id of failed) await jobs.enqueue(tx, JOB, { company, id })
    })
  }
  jobs.define<{ company: number; ids: number[] }>(
    MANY,
    ({ company, ids }) => deliver(companyIdFrom('job', company), ids),
    { retryLimit: 2 },
  )

  jobs.define<{ company: number | null; id: number }>(
    JOB,
    async ({ company: number, id }) => {
      const company = number === null ? null : companyIdFrom('job', number)
      const mail = await within(company, (tx) => findUnsent(tx, company, id))
      if (!mail || !transport) return
      const at = { company, address: mail.to_address }
      if (mail.rests_until && mail.rests_until > clock.now()) {
        await within(company, (tx) => note(tx, company, id, { last_error: RESTS, failed_at: clock.now() }))
        return
      }
      const attachments = await Promise.all(
        mail.attachments.map(async (attachment) => ({
          filename: attachment.filename,
          contentType: attachment.contentType,
          // Only a company's emails have attachments.
          content: company === null ? '' : await render(company, attachment),
        })),
      )
      try {
        await transport.sendMail({ ...emailOf(company, id, mail), attachments })
      } catch (error) {
        const refused = isRefusal(error)
        const failed_at = refused || mail.attempts + 1 >= MAX_ATTEMPTS ? clock.now() : null
        await within(company, async (tx) => {
          await note(tx, company, id, { last_error: nameOf(error), failed_at })
          if (refused) await noteRefusal(tx, clock, at, nameOf(error))
        })
        if (refused) return
        throw new Error(`a mail could not be handed over: ${nameOf(error)}`)
      }
      await within(company, async (tx) => {
        await note(tx, company, id, { sent_at: clock.now(), last_error: null, failed_at: null })
        if (mail.rests_until) await forgetRefusals(tx, at)
      })
    },
    { retryLimit: MAX_ATTEMPTS - 1 },
  )

  return {
    deliver,
    sendMany: async (tx, company, mails) => {
      const now = clock.now()
      const of = (key: Exclude<keyof Mail, 'attachments'>) => mails.map((mail) => mail[key] ?? '')
      const { rows } = await sql<{ id: number }>`
        INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, unsubscribe_url, event, attachments, created_at)
        SELECT ${company}, t.address, t.subject, t.text, t.html, t.unsubscribe_url, t.event, '[]', ${now}
        FROM unnest(${of('to')}::text[], ${of('subject')}::text[], ${of('text')}::text[], ${of('html')}::text[], ${of('stopUrl')}::text[],
          ${of('event')}::text[]) WITH ORDINALITY AS t (address, subject, text, html, unsubscribe_url, event, nth)
        ORDER BY t.nth RETURNING id`.execute(tx)
      // PostgreSQL assigns numbers in the order of the rows.
      const ids = rows.map(({ id }) => id).toSorted((one, other) => one - other)
      const after = new Date(now.getTime() + LEFT_BEHIND_MS)
      if (transport && ids.length > 0) await jobs.enqueue(tx, MANY, { company, ids }, { after })
      return ids
    },
    draws: (name, draw) => void drawers.set(name, draw),
    drawn: render,
    send: async (tx, company, mail) => {
      const row = {
        to_address: mail.to,
        subject: mail.subject,
        text_body: mail.text,
        html_body: mail.html,
        attachments: JSON.stringify(mail.attachments ?? []),
        unsubscribe_url: mail.stopUrl ?? '',
        created_at: clock.now(),
        sent_at: null,
        last_error: null,
      }
      const { id } = await (company === null
        ? tx.insertInto('platform_email').values(row).returning('id').executeTakeFirstOrThrow()
        : tx
            .insertInto('email_outbox')
            .values({ ...row, company_id: company, event: mail.event ?? '' })
            .returning('id')
            .executeTakeFirstOrThrow())
      if (transport) await jobs.enqueue(tx, JOB, { company, id })
      return id
    },
  }
}

/** The server's answer may quote the address, so only its code is saved. */
const nameOf = (error: unknown): string => {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return String(responseCode ?? code ?? 'no answer')
}

const written = [
  'to_address',
  'subject',
  'text_body',
  'html_body',
  'attachments',
  'unsubscribe_url',
  'attempts',
] as const

interface OutgoingMail {
  to_address: string
  subject: string
  text_body: string
  html_body: string
  unsubscribe_url: string
}

async function findAllUnsent(tx: Tx, company: CompanyId, ids: readonly number[], now: Date) {
  const { rows } = await sql<OutgoingMail & { id: number; rests: boolean }>`
    SELECT m.id, m.to_address, m.subject, m.text_body, m.html_body, m.unsubscribe_url, f.address IS NOT NULL AS rests
    FROM email_outbox m
    LEFT JOIN refused_address f ON f.company_id = m.company_id AND f.address = lower(m.to_address) AND f.rests_until > ${now}
    WHERE m.company_id = ${company} AND m.id = ANY (${ids}::bigint[]) AND m.sent_at IS NULL AND m.failed_at IS NULL
    ORDER BY m.id`.execute(tx)
  return rows
}

const findUnsent = async (tx: Tx, company: CompanyId | null, id: number) => {
  const mail = await (company === null
    ? tx
        .selectFrom('platform_email')
        .select(written)
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .where('failed_at', 'is', null)
        .executeTakeFirst()
    : tx
        .selectFrom('email_outbox')
        .select(written)
        .where('company_id', '=', company)
        .where('id', '=', id)
        .where('sent_at', 'is', null)
        .where('failed_at', 'is', null)
        .executeTakeFirst())
  return (
    mail && {
      ...mail,
      rests_until: await restOf(tx, { company, address: mail.to_address }),
    }
  )
}

const note = (
  tx: Tx,
  company: CompanyId | null,
  id: number,
  result: { sent_at?: Date; last_error: string | null; failed_at: Date | null },
): Promise<unknown> =>
  company === null
    ? tx
        .updateTable('platform_email')
        .set((row) => ({ ...result, attempts: row('attempts', '+', 1) }))
        .where('id', '=', id)
        .execute()
    : tx
        .updateTable('email_outbox')
        .set((row) => ({ ...result, attempts: row('attempts', '+', 1) }))
        .where('company_id', '=', company)
        .where('id', '=', id)
        .execute()
