import type { Call } from '../../../server/call.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { emailPerson } from '../../../server/cases/emails.ts'
import { type CaseTransition, defineCaseStateStore, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { EmailTemplate } from '../../../server/notices/notice.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { historyOf, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/messages.ts'
import { retainedMessage, paidFor } from '../../payments/api.ts'
import { submissionCase } from '../contract.ts'
import { numberOf, submissionStatus } from '../rules.ts'
import { submissionStates, type SubmissionStatus } from '../states.ts'
import { issuingOf } from './issuing.ts'
import { approvedEmail, moreInfoEmail, linkText, rejectedEmail, replyEmail, revokedEmail, signature } from './emails.ts'
import { OPEN, type Submission } from './row.ts'

const CLOSED: readonly Submission['status'][] = [12, 13, 14]

/** Case of a submission. server/cases/kinds.ts explains each property. */
export const submissionsCase: CaseKind<Submission> = defineCase<Submission>({
  calls: submissionCase,
  table: 'form_submission',
  open: OPEN,
  subject: 'form_submission',
  audit: caseActions('submission'),
  texts: {
    notFound: 'This submission was not found.',
    mayNotRead: 'does not have permission to view forms',
    linkExpired: 'This link is not valid or has expired. Sign in to see your forms.',
    full: 'You cannot add more messages to this submission. Please submit the form again.',
  },
  numberOf,
  title: ({ title, entered_by, name }) => (entered_by === '' ? title : say`${title}, for ${name}`),
  state: stateFrom(submissionStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: () => null,
  payments: (tx, { company_id, id }) => paidFor(tx, company_id as CompanyId, FORM, id),
  steps: stepsFrom(
    submissionStates,
    submissionStates.names.filter((status) => status !== submissionStatus.draft),
  ),
  noReply: ({ id, status }) =>
    status === submissionStatus.draft ? say`Form ${numberOf(id)} has not been submitted yet.` : null,
  noMessage: ({ id, status }) => (CLOSED.includes(status) ? say`Form ${numberOf(id)} is closed.` : null),
  publicName: (name) => name,
  replyEmail: ({ id }, text) => replyEmail(id, text),
  signature,
  linkText,
  messagesPath: (secret) => `/forms-documents/submission/${secret}`,
  staffPath: (_company, id) => `/municipality/reports/forms-and-docs?submission=${id}`,
})

/** Payable kind of submission fees. */
export const FORM = 'form'

interface SubmissionDeps {
  context: AppContext
  company: Company
}
type SubmissionTransition = CaseTransition<SubmissionStatus, EventOf<typeof submissionStates>, Submission>

export const submissionStateStore = defineCaseStateStore(submissionsCase, submissionStates, {
  effects: {
    request_info: (tx, step, deps: SubmissionDeps) =>
      emailSender(tx, deps, step, moreInfoEmail(rowAfter(step), step.reason)),
    approve: async (tx, step, deps) => {
      await recordDecision(tx, step)
      await issuingOf().onApproved(tx, { ...deps, actor: step.actor }, rowAfter(step))
      await emailSender(tx, deps, step, approvedEmail(rowAfter(step)))
    },
    reject: async (tx, step, deps) => {
      await recordDecision(tx, step)
      return emailEnd(tx, deps, step, rejectedEmail(rowAfter(step), step.reason))
    },
    revoke: async (tx, step, deps) => {
      await recordDecision(tx, step)
      await issuingOf().onRevoked(tx, { ...deps, actor: step.actor }, rowAfter(step))
      return emailEnd(tx, deps, step, revokedEmail(rowAfter(step), step.reason))
    },
    withdraw: async (tx, step) => (await retainedFeeMessage(tx, step)) ?? '',
  },
})

const rowAfter = ({ locked, to }: SubmissionTransition): Submission => ({ ...locked.row, status: to })

async function recordDecision(tx: Tx, { scope, locked, at, actor }: SubmissionTransition): Promise<void> {
  const { session } = actor.caller
  const decided_by = session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet'
  await changeRow(tx, 'form_submission', scope, locked.id, { decided_at: at, decided_by })
}

const emailSender = (
  tx: Tx,
  { context, company }: SubmissionDeps,
  step: SubmissionTransition,
  email: EmailTemplate,
): Promise<void> => emailPerson(tx, context, submissionsCase, company, rowAfter(step), () => email)

/** Returns a message that the fee is not refunded when the submission ends. Null if no fee was paid. */
const retainedFeeMessage = (tx: Tx, { scope, locked, actor }: SubmissionTransition): Promise<string | null> =>
  retainedMessage(tx, scope as CompanyId, {
    kind: FORM,
    id: locked.id,
    as: actor.as === 'staff' ? 'staff' : 'requester',
  })

/** Emails the sender that the submission ended. @returns the message about a retained fee */
async function emailEnd(
  tx: Tx,
  deps: SubmissionDeps,
  step: SubmissionTransition,
  email: EmailTemplate,
): Promise<string> {
  const retained = await retainedFeeMessage(tx, step)
  await emailSender(tx, deps, step, withFee(email, retained === null ? 0 : step.locked.row.paid_cents))
  return retained ?? ''
}

/** Adds a sentence to the decision email: the fee is not refunded automatically. */
const withFee = (email: EmailTemplate, paidCents: number): EmailTemplate =>
  paidCents === 0
    ? email
    : {
        ...email,
        paragraphs: [
          ...email.paragraphs,
          say`The fee of ${formatCents(paidCents)} is not refunded automatically. If a refund is due, we will send it.`,
        ],
      }

/**
 * Returns the sender as the actor. If the sender uses an emailed link, no one is signed in, so the name comes from the
 * submission.
 */
export const requesterOf = (call: Call, { name, person_id, entered_by }: Submission): TransitionActor => ({
  as: 'requester',
  caller: call,
  clock: call.context.clock,
  person: { id: person_id, name: entered_by || name },
})

/** Returns the latest request for information from staff, or the reason for their decision. Empty if neither exists. */
export async function requestedInfoOf(tx: Tx, { company_id, id, status }: Submission): Promise<string> {
  if (
    status !== submissionStatus.rejected &&
    status !== submissionStatus.moreInfoNeeded &&
    status !== submissionStatus.revoked
  )
    return ''
  const steps = await historyOf(tx, submissionStates, company_id, id).execute()
  return steps.findLast(({ to_state }) => to_state === String(status))?.reason ?? ''
}
