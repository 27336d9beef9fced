import type { Call } from '../../../server/call.ts'
import { type CaseKind, defineCase } from '../../../server/cases/kinds.ts'
import { mailPerson } from '../../../server/cases/emails.ts'
import { defineCaseStateStore, stateFrom, stepsFrom } from '../../../server/cases/states.ts'
import type { Company } from '../../../server/hosts.ts'
import type { AppContext } from '../../../server/app-context.ts'
import type { Letter } from '../../../server/notices/notice.ts'
import { changeRow } from '../../../server/db/rows.ts'
import { historyOf, transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { caseActions } from '../../../shared/audit-actions.ts'
import type { EventOf } from '../../../shared/machine.ts'
import { formatCents } from '../../../shared/money.ts'
import { say } from '../../../shared/words.ts'
import { retainedMessage } from '../../payments/server/kept-money.ts'
import { paidFor } from '../../payments/server/paid-for.ts'
import { submissionCase } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { submissionStates } from '../states.ts'
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
    mayNotRead: 'may not read forms',
    linkOver: 'This link is not known, or it is too old. Sign in to see what you sent.',
    full: 'This conversation is full. Please send the form again.',
  },
  numberOf,
  title: ({ title, helper_name, name }) => (helper_name === '' ? title : say`${title}, for ${name}`),
  state: stateFrom(submissionStates),
  person: ({ name, email, phone, person_id }) => ({ name, email, phone, id: person_id }),
  opening: () => null,
  payments: (tx, { company_id, id }) => paidFor(tx, company_id as CompanyId, FORM, id),
  steps: stepsFrom(submissionStates, [0, 1, 2, 3, 11, 12, 13, 14]),
  noReply: ({ id, status }) => (status === 10 ? say`${numberOf(id)} was not sent yet.` : null),
  noMessage: ({ id, status }) => (CLOSED.includes(status) ? say`${numberOf(id)} is closed.` : null),
  publicName: (name) => name,
  replyEmail: ({ id }, text) => replyEmail(id, text),
  signature,
  linkText,
  conversationPath: (secret) => `/forms-documents/submission/${secret}`,
  staffPath: (_company, id) => `/municipality/reports/forms-and-docs?submission=${id}`,
})

export const submissionStateStore = defineCaseStateStore(submissionsCase, submissionStates)

/**
 * Returns the sender as the actor. Behind an emailed link no one is signed in, so the name comes from the submission.
 */
export const requesterOf = (call: Call, { name, person_id, helper_name }: Submission): TransitionActor => ({
  as: 'requester',
  caller: call,
  clock: call.context.clock,
  person: { id: person_id, name: helper_name || name },
})

type SubmissionEvent = EventOf<typeof submissionStates>
const DECISIONS: readonly SubmissionEvent[] = ['approve', 'reject', 'revoke']
/** Events that end a submission, although its fee stays paid. */
const ENDS: readonly SubmissionEvent[] = ['reject', 'revoke', 'withdraw']
/** Payable kind of submission fees. */
export const FORM = 'form'

/**
 * Applies a transition to a submission, the only way to do so. One transaction changes the state, notifies the sender
 * and issues documents.
 */
export async function moveSubmission(
  tx: Tx,
  at: { context: AppContext; company: Company; actor: TransitionActor },
  { id, event, reason, to }: { id: number; event: SubmissionEvent; reason?: string | undefined; to?: 0 | 1 },
) {
  const { context, company, actor } = at
  const moved = await transition(tx, submissionStateStore, { scope: company.id, id, event, actor, reason, to })
  const row: Submission = { ...moved.locked.row, status: moved.to }
  if (DECISIONS.includes(event)) {
    const { session } = actor.caller
    const decided_by = session ? `${session.firstName} ${session.lastName}`.trim() : 'Mainstreet'
    await changeRow(tx, 'form_submission', company.id, id, { decided_at: moved.at, decided_by })
  }
  if (event === 'approve') await issuingOf().onApproved(tx, at, row)
  if (event === 'revoke') await issuingOf().onRevoked(tx, at, row)
  const ends = ENDS.includes(event)
  const as = actor.as === 'staff' ? 'staff' : 'requester'
  const retainedText = ends ? await retainedMessage(tx, company.id, { kind: FORM, id, as }) : null
  const email = emailOf(event, row, reason ?? '')
  if (email)
    await mailPerson(tx, context, submissionsCase, company, row, () =>
      withFee(email, retainedText === null ? 0 : row.paid_cents),
    )
  return { ...moved, message: retainedText ? `${moved.message} ${retainedText}` : moved.message, row }
}

/** Adds to the decision that the fee stays paid, for the payer. */
const withFee = (email: Letter, paidCents: number): Letter =>
  paidCents === 0
    ? email
    : {
        ...email,
        paragraphs: [
          ...email.paragraphs,
          say`The fee of ${formatCents(paidCents)} stays paid. If it is to be given back, the municipality refunds it.`,
        ],
      }

/** Returns the email for the sender about a step. Null for steps that the sender takes. */
function emailOf(event: SubmissionEvent, row: Submission, reason: string): Letter | null {
  if (event === 'request_info') return moreInfoEmail(row, reason)
  if (event === 'approve') return approvedEmail(row)
  if (event === 'reject') return rejectedEmail(row, reason)
  if (event === 'revoke') return revokedEmail(row, reason)
  return null
}

/** Returns staff's latest question or the reason of their decision. Empty without one. */
export async function requestedInfoOf(tx: Tx, { company_id, id, status }: Submission): Promise<string> {
  if (status !== 2 && status !== 11 && status !== 13) return ''
  const steps = await historyOf(tx, submissionStates, company_id, id).execute()
  return steps.findLast(({ to_state }) => to_state === String(status))?.reason ?? ''
}
