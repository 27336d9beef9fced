import type { Call } from '../../../server/call.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { transition, type TransitionActor } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { submissionsCase, submissionStateStore } from './case.ts'
import { sentEmail } from './emails.ts'
import type { Submission } from './row.ts'
import type { FormType } from './types.ts'
import { submissionStatus } from '../rules.ts'

/**
 * Marks a submission as sent and routes it for review. Its sender gets a copy.
 * @param actor the sender, or the second signer who signs last
 */
export async function enterSubmission(tx: Tx, call: Call, row: Submission, type: FormType, actor: TransitionActor) {
  const { context, company } = call
  const at = context.clock.now()
  const round = row.rounds + 1
  await tx
    .insertInto('form_round')
    .values({
      company_id: company.id,
      submission_id: row.id,
      no: round,
      field_set_id: row.field_set_id,
      version: row.version,
      answers: JSON.stringify(row.answers),
      sent_by: row.entered_by || row.name,
      at,
    })
    .execute()
  const first = row.rounds === 0
  await changeRow(tx, 'form_submission', company.id, row.id, {
    rounds: round,
    submitted_at: row.submitted_at ?? at,
    ...(first && {
      assigned_to: type.reviewerId,
      department_id: type.reviewerId === null ? type.departmentId : null,
    }),
  })
  const event =
    row.status === submissionStatus.draft
      ? 'submit'
      : row.status === submissionStatus.moreInfoNeeded
        ? 'answer'
        : 'resubmit'
  const to =
    event === 'submit'
      ? row.fee_cents > row.paid_cents
        ? submissionStatus.paymentRequired
        : submissionStatus.pendingReview
      : undefined
  const moved = await transition(tx, submissionStateStore, {
    scope: company.id,
    id: row.id,
    event,
    to,
    actor,
    deps: { context, company },
  })
  const sent = { ...moved.locked.row, status: moved.to }
  await emailPerson(tx, context, submissionsCase, company, sent, () => sentEmail(sent), { toCaller: true })
  return { status: moved.to }
}
