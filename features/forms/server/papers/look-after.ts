import { sql } from 'kysely'
import { newCaseLink } from '../../../../server/cases/emails.ts'
import { eachApart } from '../../../../server/each-apart.ts'
import type { Company } from '../../../../server/hosts.ts'
import type { AppContext } from '../../../../server/app-context.ts'
import { defineNotice } from '../../../../server/notices/notice.ts'
import { notify, placeOf } from '../../../../server/notices/notify.ts'
import type { TransitionActor } from '../../../../server/states.ts'
import { companyIdFrom, type Tx } from '../../../../server/tenancy.ts'
import { dateIn, formatDate, timeIn } from '../../../../shared/dates.ts'
import { say } from '../../../../shared/words.ts'
import { moveSubmission, submissionsCase } from '../case.ts'
import type { Submission } from '../row.ts'
import { paperOf } from './issued.ts'

/** Nobody is written to at night: between these hours of the town's own clocks. */
const DAY = { from: '07:00', to: '20:00' }
const BATCH_SIZE = 1000

interface Ends {
  title: string
  number: string
  until: string
  link: string
}

/** Whoever has it must not miss that it ends: doing on without it may cost a fine. */
const endsSoon = defineNotice<Ends>({
  event: 'form.ends',
  required: true,
  why: ({ name }) => say`You get this mail because ${name} issued something to you that ends soon.`,
  words: ({ title, number, until, link }) => ({
    subject: say`${title} ${number} ends on ${formatDate(until)}`,
    paragraphs: [
      say`Your ${title} ${number} holds until ${formatDate(until)}. By the link below you can renew it: your answers of last time are filled in already.`,
      { label: say`Look at it and renew it`, url: link },
    ],
  }),
})

const bySystem = ({ clock }: AppContext): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId: '', kind: 'system' },
  clock,
  known: { id: null, name: say`Forms and documents` },
})

interface Due {
  company_id: number
  submission_id: number
}

async function each(
  context: AppContext,
  due: readonly Due[],
  take: (tx: Tx, town: Company, id: number) => Promise<boolean>,
) {
  let taken = 0
  await eachApart(context, due, async ({ company_id, submission_id }) => {
    const town = await context.hosts.byId(companyIdFrom('job', company_id))
    if (town && (await context.inCompany(town.id, (tx) => take(tx, town, submission_id)))) taken += 1
  })
  return taken
}

/** So far ahead of universal time a town's day can be. Which day it is there is judged town by town. */
const utcDay = (context: AppContext, hours: number) =>
  dateIn('UTC', new Date(context.clock.now().getTime() + hours * 3_600_000))

/**
 * Ends what is past its last day, and writes to those whose license or permit ends soon. Each in a transaction of its own
 * under the lock of its submission, so that it may run again, and on two portals, at any time.
 */
export async function lookAfterPapers(context: AppContext): Promise<{ ended: number; told: number }> {
  const over = await context.acrossCompanies((tx) =>
    sql<Due>`
      SELECT p.company_id, p.submission_id FROM form_paper p
      JOIN form_submission s ON s.company_id = p.company_id AND s.id = p.submission_id
      WHERE p.expires_on < ${utcDay(context, 14)}::date AND s.status = 3 ORDER BY 1, 2 LIMIT ${BATCH_SIZE}`.execute(tx),
  )
  const soon = await context.acrossCompanies((tx) =>
    sql<Due>`
      SELECT company_id, submission_id FROM form_paper WHERE remind_on <= ${utcDay(context, 14)}::date AND reminded_at IS NULL
      ORDER BY 1, 2 LIMIT ${BATCH_SIZE}`.execute(tx),
  )
  return {
    ended: await each(context, over.rows, (tx, town, id) => end(tx, context, town, id)),
    told: await each(context, soon.rows, (tx, town, id) => remind(tx, context, town, id)),
  }
}

async function locked(tx: Tx, company: Company, id: number): Promise<Submission | undefined> {
  const { rows } = await sql<Submission>`
    SELECT * FROM form_submission WHERE company_id = ${company.id} AND id = ${id} FOR UPDATE`.execute(tx)
  return rows[0]
}

async function end(tx: Tx, context: AppContext, company: Company, id: number): Promise<boolean> {
  const row = await locked(tx, company, id)
  const paper = await paperOf(tx, company.id, id)
  const today = dateIn(company.timeZone, context.clock.now())
  if (row?.status !== 3 || !paper?.expires_on || paper.expires_on >= today) return false
  await moveSubmission(tx, { context, company, who: bySystem(context) }, { id, event: 'expire' })
  return true
}

async function remind(tx: Tx, context: AppContext, company: Company, id: number): Promise<boolean> {
  const now = context.clock.now()
  const time = timeIn(company.timeZone, now)
  const today = dateIn(company.timeZone, now)
  const row = await locked(tx, company, id)
  const paper = await paperOf(tx, company.id, id)
  if (!row || !paper || paper.reminded_at || !paper.remind_on || !paper.expires_on) return false
  const stillHolds = row.status === 3 && paper.expires_on >= today && !paper.is_renewed
  if (stillHolds && (paper.remind_on > today || time < DAY.from || time >= DAY.to)) return false
  await tx
    .updateTable('form_paper')
    .set({ reminded_at: now })
    .where('company_id', '=', company.id)
    .where('submission_id', '=', id)
    .execute()
  if (!stillHolds || row.email === '' || (await isBeingRenewed(tx, company, id))) return false
  const { title, number, expires_on: until } = paper
  const secret = await newCaseLink(tx, context, submissionsCase, company, id)
  const link = placeOf(context, company).url(submissionsCase.conversationPath(secret))
  const whose = row.person_id === null ? {} : { person: row.person_id }
  await notify(tx, context, {
    at: company,
    to: row.email,
    notice: endsSoon,
    facts: { title, number, until, link },
    ...whose,
  })
  return true
}

/** Whoever sent the renewal already need not be told. */
async function isBeingRenewed(tx: Tx, company: Company, id: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM form_renewal n JOIN form_submission s ON s.company_id = n.company_id AND s.id = n.submission_id
    WHERE n.company_id = ${company.id} AND n.renews_id = ${id} AND s.status IN (0, 1, 11) LIMIT 1`.execute(tx)
  return rows.length > 0
}

/** The days are the town's own, so each hour looks at those towns in which it is day. */
export function definePaperJobs(context: AppContext): void {
  context.jobs.define('forms.papers', async () => void (await lookAfterPapers(context)), {
    cron: '25 * * * *',
    retryLimit: 0,
  })
}
