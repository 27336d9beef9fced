import { sql } from 'kysely'
import { pausedUntil } from './notices/refused-addresses.ts'
import { recipientOf } from './current-preview.ts'
import type { CompanyId, Tx } from './tenancy.ts'

export interface OutboxEmail {
  to: string
  subject: string
  text: string
  html: string
  attachments?: readonly Attachment[]
  /** Unsubscribe URL. Email programs use the URL to show an unsubscribe link next to the sender. */
  unsubscribeUrl?: string
  /** Notice event that the email is about. */
  event?: string
}

/**
 * File that the portal renders when it sends the email. So no transaction waits for rendering, and the outbox stores no
 * files.
 */
export interface Attachment {
  filename: string
  contentType: string
  /** Name under which a feature registered the renderer with `renders`. The renderer gets the id in `of`. */
  renderedBy: string
  of: number
}

/** Adds an email to the outbox of a company or of the platform. Returns the email's id. */
export async function addEmail(tx: Tx, company: CompanyId | null, email: OutboxEmail, now: Date): Promise<number> {
  const row = {
    to_address: recipientOf(email.to),
    subject: email.subject,
    text_body: email.text,
    html_body: email.html,
    attachments: JSON.stringify(email.attachments ?? []),
    unsubscribe_url: email.unsubscribeUrl ?? '',
    created_at: now,
    sent_at: null,
    last_error: null,
  }
  const { id } = await (company === null
    ? tx.insertInto('platform_email').values(row).returning('id').executeTakeFirstOrThrow()
    : tx
        .insertInto('email_outbox')
        .values({ ...row, company_id: company, event: email.event ?? '' })
        .returning('id')
        .executeTakeFirstOrThrow())
  return id
}

/** Adds emails to a company's outbox in one statement. Returns their ids in the order of the emails. */
export async function addEmails(
  tx: Tx,
  company: CompanyId,
  emails: readonly Omit<OutboxEmail, 'attachments'>[],
  now: Date,
): Promise<number[]> {
  const of = (key: Exclude<keyof OutboxEmail, 'attachments'>) => emails.map((email) => email[key] ?? '')
  const addresses = emails.map(({ to }) => recipientOf(to))
  const { rows } = await sql<{ id: number }>`
    INSERT INTO email_outbox (company_id, to_address, subject, text_body, html_body, unsubscribe_url, event, attachments, created_at)
    SELECT ${company}, t.address, t.subject, t.text, t.html, t.unsubscribe_url, t.event, '[]', ${now}
    FROM unnest(${addresses}::text[], ${of('subject')}::text[], ${of('text')}::text[], ${of('html')}::text[], ${of('unsubscribeUrl')}::text[],
      ${of('event')}::text[]) WITH ORDINALITY AS t (address, subject, text, html, unsubscribe_url, event, nth)
    ORDER BY t.nth RETURNING id`.execute(tx)
  // PostgreSQL assigns ids in the order of the inserted rows, so sorting the ids restores that order.
  return rows.map(({ id }) => id).toSorted((one, other) => one - other)
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

export interface OutgoingEmail {
  to_address: string
  subject: string
  text_body: string
  html_body: string
  unsubscribe_url: string
}

export async function findAllUnsent(tx: Tx, company: CompanyId, ids: readonly number[], now: Date) {
  const { rows } = await sql<OutgoingEmail & { id: number; rests: boolean }>`
    SELECT m.id, m.to_address, m.subject, m.text_body, m.html_body, m.unsubscribe_url, f.address IS NOT NULL AS rests
    FROM email_outbox m
    LEFT JOIN refused_address f ON f.company_id = m.company_id AND f.address = lower(m.to_address) AND f.rests_until > ${now}
    WHERE m.company_id = ${company} AND m.id = ANY (${ids}::bigint[]) AND m.sent_at IS NULL AND m.failed_at IS NULL
    ORDER BY m.id`.execute(tx)
  return rows
}

export const findUnsent = async (tx: Tx, company: CompanyId | null, id: number) => {
  const email = await (company === null
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
    email && {
      ...email,
      rests_until: await pausedUntil(tx, { company, address: email.to_address }),
    }
  )
}

/** Records the result of an attempt to send an email. */
export const recordAttempt = (
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

/** Marks emails of a company as sent. */
export const markSent = (tx: Tx, company: CompanyId, ids: readonly number[], now: Date) =>
  sql`
    UPDATE email_outbox SET sent_at = ${now}, last_error = NULL, failed_at = NULL, attempts = attempts + 1
    WHERE company_id = ${company} AND id = ANY (${ids}::bigint[])`.execute(tx)
