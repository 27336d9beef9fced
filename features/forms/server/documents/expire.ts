import { sql } from 'kysely'
import { newCaseLink } from '../../../../server/cases/emails.ts'
import { eachSeparately } from '../../../../server/each-separately.ts'
import { whereOn } from '../../../../server/modules.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { defineNotice } from '../../../../server/notices/notice.ts'
import { notify, noticeSenderOf } from '../../../../server/notices/notify.ts'
import { transition, type TransitionActor } from '../../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../../server/tenancy.ts'
import { dateIn, formatDate, timeIn } from '../../../../shared/dates.ts'
import { say } from '../../../../shared/messages.ts'
import { submissionsCase, submissionStateStore } from '../case.ts'
import type { Submission } from '../row.ts'
import { documentOf } from './issued.ts'
import { submissionStatus, openSubmissions } from '../../rules.ts'
import { litList } from '../../../../server/list-sql.ts'

/** Earliest and latest time of day for these emails, in the company's time zone. No email goes out at night. */
const DAY = { from: '07:00', to: '20:00' }
const BATCH_SIZE = 1000

interface Ends {
  title: string
  number: string
  until: string
  link: string
}

/** Holders can't unsubscribe, because an expired license may cost a fine. */
const endsSoon = defineNotice<Ends>({
  event: 'form.ends',
  required: true,
  why: ({ name }) => say`You are receiving this email because ${name} issued you a document that expires soon.`,
  content: ({ title, number, until, link }) => ({
    subject: say`${title} ${number} expires on ${formatDate(until)}`,
    paragraphs: [
      say`Your document “${title}” (${number}) is valid until ${formatDate(until)}. Use the link below to renew it. Your previous answers are already filled in.`,
      { label: say`View and renew`, url: link },
    ],
  }),
})

const bySystem = ({ clock }: AppContext): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Forms and documents` },
})

interface Due {
  company_id: number
  submission_id: number
}

async function each(
  context: AppContext,
  due: readonly Due[],
  take: (tx: Tx, company: Company, id: number) => Promise<boolean>,
) {
  let processed = 0
  await eachSeparately(context, due, async ({ company_id, submission_id }) => {
    const company = await context.hosts.byId(companyIdFrom('job', company_id))
    if (company && (await context.inCompany(company.id, (tx) => take(tx, company, submission_id)))) processed += 1
  })
  return processed
}

/** Returns the UTC day `hours` hours from now, to preselect rows. The company's own day is checked later. */
const utcDay = (context: AppContext, hours: number) =>
  dateIn('UTC', new Date(context.clock.now().getTime() + hours * 3_600_000))

/**
 * Ends expired documents, and notifies holders of licenses or permits that end soon. Processes each document in a
 * separate transaction that locks the submission, so repeated or concurrent runs are safe.
 */
export async function maintainDocuments(context: AppContext): Promise<{ ended: number; notified: number }> {
  const expired = await context.acrossCompanies((tx) =>
    sql<Due>`
      SELECT p.company_id, p.submission_id FROM issued_document p
      JOIN form_submission s ON s.company_id = p.company_id AND s.id = p.submission_id
      WHERE p.expires_on < ${utcDay(context, 14)}::date AND s.status = ${sql.lit(submissionStatus.approved)} ORDER BY 1, 2 LIMIT ${BATCH_SIZE}`.execute(
      tx,
    ),
  )
  const soon = await context.acrossCompanies((tx) =>
    sql<Due>`
      SELECT company_id, submission_id FROM issued_document WHERE remind_on <= ${utcDay(context, 14)}::date AND reminded_at IS NULL AND ${whereOn('forms')}
      ORDER BY 1, 2 LIMIT ${BATCH_SIZE}`.execute(tx),
  )
  return {
    ended: await each(context, expired.rows, (tx, company, id) => end(tx, context, company, id)),
    notified: await each(context, soon.rows, (tx, company, id) => remind(tx, context, company, id)),
  }
}

async function lockSubmission(tx: Tx, company: Company, id: number): Promise<Submission | undefined> {
  const { rows } = await sql<Submission>`
    SELECT * FROM form_submission WHERE company_id = ${company.id} AND id = ${id} FOR UPDATE`.execute(tx)
  return rows[0]
}

async function end(tx: Tx, context: AppContext, company: Company, id: number): Promise<boolean> {
  const row = await lockSubmission(tx, company, id)
  const issued = await documentOf(tx, company.id, id)
  const today = dateIn(company.timeZone, context.clock.now())
  if (row?.status !== submissionStatus.approved || !issued?.expires_on || issued.expires_on >= today) return false
  await transition(tx, submissionStateStore, {
    scope: company.id,
    id,
    event: 'expire',
    actor: bySystem(context),
    deps: { context, company },
  })
  return true
}

async function remind(tx: Tx, context: AppContext, company: Company, id: number): Promise<boolean> {
  const now = context.clock.now()
  const time = timeIn(company.timeZone, now)
  const today = dateIn(company.timeZone, now)
  const row = await lockSubmission(tx, company, id)
  const issued = await documentOf(tx, company.id, id)
  if (!row || !issued || issued.reminded_at || !issued.remind_on || !issued.expires_on) return false
  const stillHolds = row.status === submissionStatus.approved && issued.expires_on >= today && !issued.is_renewed
  if (stillHolds && (issued.remind_on > today || time < DAY.from || time >= DAY.to)) return false
  await tx
    .updateTable('issued_document')
    .set({ reminded_at: now })
    .where('company_id', '=', company.id)
    .where('submission_id', '=', id)
    .execute()
  if (!stillHolds || row.email === '' || (await isBeingRenewed(tx, company, id))) return false
  const { title, number, expires_on: until } = issued
  const secret = await newCaseLink(tx, context, submissionsCase, company, id)
  const link = noticeSenderOf(context, company).url(submissionsCase.messagesPath(secret))
  const recipient = row.person_id === null ? {} : { person: row.person_id }
  await notify(tx, context, {
    at: company,
    to: row.email,
    notice: endsSoon,
    data: { title, number, until, link },
    ...recipient,
  })
  return true
}

/** A holder who has already sent the renewal gets no reminder. */
async function isBeingRenewed(tx: Tx, company: Company, id: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM form_renewal n JOIN form_submission s ON s.company_id = n.company_id AND s.id = n.submission_id
    WHERE n.company_id = ${company.id} AND n.renews_id = ${id} AND s.status IN (${litList(openSubmissions)}) LIMIT 1`.execute(
    tx,
  )
  return rows.length > 0
}

/**
 * Runs hourly, because days end in each company's time zone. Reminders go out only from 07:00 to 20:00 company time.
 */
export function defineDocumentJobs(context: AppContext): void {
  context.jobs.define('forms.documents', async () => void (await maintainDocuments(context)), {
    cron: '25 * * * *',
    retryLimit: 0,
  })
}
