import { byAssignee } from '../../../server/cases/by-assignee.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { findCase } from '../../../server/cases/entries.ts'
import { viewOf } from '../../../server/cases/timeline.ts'
import { Refusal } from '../../../server/errors.ts'
import { columnsOfType } from '../../../server/fields/answer-columns.ts'
import { implementList } from '../../../server/list.ts'
import { matchesSearch } from '../../../server/list-sql.ts'
import { actorOf, transition } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { plural, say } from '../../../shared/messages.ts'
import { changeSubmission, changeSubmissions, staffSubmission } from '../contract.ts'
import { submissions } from '../list.ts'
import { differencesOf, idIn, numberOf, submissionStatus } from '../rules.ts'
import { submissionStates } from '../states.ts'
import { FORM, submissionsCase, submissionStateStore } from './case.ts'
import { retainedPayments } from '../../payments/api.ts'
import { files } from './files.ts'
import { OPEN, sentOf, type Submission, textsOf } from './row.ts'
import { readType } from './types.ts'

const MIN_LENGTH = 3
const person = sql`trim(p.first_name || ' ' || p.last_name)`
/** Returns an SQL condition that matches the submission's number or words in the answers. */
function searchConditionOf(search: string): RawBuilder<unknown> {
  const id = idIn(search)
  const inText = search.length >= MIN_LENGTH ? matchesSearch(sql`r.search_text`, search) : sql`false`
  // The number of an imported permit may look like the number of a submission.
  return id === null ? inText : sql`(r.id = ${id} OR ${inText})`
}

export const submissionLists = implementList(submissions, {
  table: sql`found_form_submission`,
  joins: sql`LEFT JOIN person p ON p.company_id = r.company_id AND p.id = r.assigned_to
    LEFT JOIN department d ON d.company_id = r.company_id AND d.id = r.department_id`,
  columns: {
    number: 'number',
    at: 'submitted_at',
    title: 'title',
    name: 'name',
    email: 'email',
    phone: 'phone',
    status: 'status',
    rounds: 'rounds',
    assignee: sql`coalesce(${person}, d.name, '')`,
    assigneeId: 'assigned_to',
    assigneeActive: sql`coalesce(p.is_active = 1 AND p.locked_at IS NULL, r.department_id IS NOT NULL)`,
    fee: 'fee_cents',
    paid: 'paid_cents',
    updatedAt: 'updated_at',
    decidedAt: 'decided_at',
    decidedBy: 'decided_by',
  },
  // Unsent drafts are visible only to their owner.
  where: () => [sql`r.status <> ${sql.lit(submissionStatus.draft)} AND r.submitted_at IS NOT NULL`],
  filters: {
    status: (status) => (status === 'open' ? OPEN : sql`r.status = ${status}`),
    typeId: (id) => sql`r.type_id = ${id}`,
    assignee: byAssignee,
  },
  search: searchConditionOf,
  ...columnsOfType('form_type'),
  row: () => ({ can: { view: true } }),
  exported: 'export.submissions',
})

/** Lists the changes of each resubmission, newest first. */
async function roundsOf(tx: Tx, row: Submission) {
  const { rows } = await sql<{ no: number; at: Date; by: string; definition: never; answers: Answers }>`
    SELECT o.no, o.at, o.sent_by AS by, v.definition, o.answers FROM form_round o
    JOIN field_set_version v ON v.company_id = o.company_id AND v.field_set_id = o.field_set_id AND v.version = o.version
    WHERE o.company_id = ${row.company_id} AND o.submission_id = ${row.id} ORDER BY o.no DESC LIMIT 50`.execute(tx)
  return rows.map((round, at) => {
    const before = rows[at + 1]
    return {
      no: round.no,
      at: round.at.toISOString(),
      by: round.by,
      changes: before ? differencesOf(before, round) : [],
    }
  })
}

export const staffSubmissionCall = implement(staffSubmission, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const session = signedIn(call)
    const row = await findCase(tx, submissionsCase, company.id, body.subjectId)
    const view = await viewOf(tx, submissionsCase, row, session)
    const answers = textsOf(row, await sentOf(tx, company.id, row))
    const type = await readType(tx, company.id, row.type_id)
    return {
      ...view,
      submission: {
        id: row.id,
        number: numberOf(row.id),
        typeId: row.type_id,
        title: row.title,
        status: row.status,
        name: row.name,
        email: row.email,
        phone: row.phone,
        enteredBy: row.entered_by,
        personId: row.person_id,
        isImported: row.made_by === 'import',
        sentAt: row.submitted_at?.toISOString() ?? null,
        decidedAt: row.decided_at?.toISOString() ?? null,
        decidedBy: row.decided_by,
        version: row.version,
        answers,
        files: await files.of(tx, company.id, row.id),
        rounds: await roundsOf(tx, row),
        feeCents: row.fee_cents,
        paidCents: row.paid_cents,
        payments: await retainedPayments(tx, company.id, FORM, row.id),
        signer: {
          name: row.signer_name,
          email: row.signer_email,
          signedAt: row.signed_at?.toISOString() ?? null,
          evidence: row.signer_evidence && { typed: row.signer_evidence.typed ?? '' },
        },
        issues: type.issues,
      },
      can: {
        ...view.can,
        steps: buttonsFrom(submissionStates, row.status, { as: 'staff', privileges: session.privileges }),
      },
    }
  }),
)

const step = (call: Call, id: number, event: keyof typeof submissionStates.steps, reason: string | undefined) =>
  call.inCompany((tx) =>
    transition(tx, submissionStateStore, {
      scope: call.company.id,
      id,
      event,
      actor: actorOf(call),
      reason,
      deps: { context: call.context, company: call.company },
    }),
  )

export const changeSubmissionCall = implement(changeSubmission, async (call) => {
  const { subjectId, event, reason } = call.body
  const { message } = await step(call, subjectId, event, reason)
  return { success: true as const, message }
})

/** Runs each change in a separate transaction, so that one failure does not stop the remaining changes. */
export const changeSubmissionsCall = implement(changeSubmissions, async (call) => {
  const { ids, event, reason } = call.body
  const refused: { number: string; message: string }[] = []
  for (const id of new Set(ids)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- sequential, so that the emails keep their order
      await step(call, id, event, reason)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push({ number: numberOf(id), message: error.message })
    }
  }
  const changed = new Set(ids).size - refused.length
  return {
    success: true as const,
    message: say`${plural(changed, 'One submission was changed.', '# submissions were changed.')}`,
    changed,
    refused,
  }
})
