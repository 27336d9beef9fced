import { implement } from '../../../server/call.ts'
import { findCase, lockCase } from '../../../server/cases/entries.ts'
import { findByLink } from '../../../server/cases/guest.ts'
import { conflict } from '../../../server/errors.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { eventsFrom } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { putIntoCart } from '../../payments/api.ts'
import { payForm, submissionByLink, withdrawForm } from '../contract.ts'
import { numberOf, submissionStatus } from '../rules.ts'
import { submissionStates } from '../states.ts'
import { transition } from '../../../server/states.ts'
import { requestedInfoOf, requesterOf, submissionsCase, submissionStateStore } from './case.ts'
import { formPayable } from './payable.ts'
import { sentOf, textsOf } from './row.ts'

/** Returns the data of the page that a submission's emailed link opens: answers, status and available actions. */
export const submissionByLinkCall = implement(submissionByLink, (call) =>
  call.reading(async (tx) => {
    const { company } = call
    const row = await findCase(
      tx,
      submissionsCase,
      company.id,
      await findByLink(tx, submissionsCase, call, call.body.token),
    )
    const answers = textsOf(row, await sentOf(tx, company.id, row))
    const steps: readonly string[] = eventsFrom(submissionStates, row.status, { as: 'requester' })
    return {
      id: row.id,
      number: numberOf(row.id),
      title: row.title,
      status: row.status,
      sentAt: row.submitted_at?.toISOString() ?? null,
      applicant: row.entered_by === '' ? '' : row.name,
      enteredBy: row.entered_by,
      answers,
      feeCents: row.fee_cents,
      paidCents: row.paid_cents,
      requestedInfo: await requestedInfoOf(tx, row),
      signer: { name: row.signer_name, signedAt: row.signed_at?.toISOString() ?? null },
      can: {
        withdraw: steps.includes('withdraw'),
        pay: row.status === submissionStatus.paymentRequired,
        // Only the person who filled in the submission can change it, and only after signing in.
        change:
          (row.status === submissionStatus.rejected || row.status === submissionStatus.moreInfoNeeded) &&
          companyPersonOf(call.session) === row.person_id,
      },
    }
  }),
)

export const withdrawFormCall = implement(withdrawForm, (call) =>
  call.inCompany(async (tx) => {
    const { context, company } = call
    const row = await lockCase(
      tx,
      submissionsCase,
      company.id,
      await findByLink(tx, submissionsCase, call, call.body.token),
    )
    const { message } = await transition(tx, submissionStateStore, {
      scope: company.id,
      id: row.id,
      event: 'withdraw',
      actor: requesterOf(call, row),
      deps: { context, company },
    })
    return { success: true as const, message }
  }),
)

export const payFormCall = implement(payForm, (call) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const row = await findCase(tx, submissionsCase, company.id, await findByLink(tx, submissionsCase, call, body.token))
    if (row.status !== submissionStatus.paymentRequired)
      throw conflict('closed', say`Form ${numberOf(row.id)} has no payment due.`)
    return { token: await putIntoCart(tx, call, [{ kind: formPayable.kind, id: row.id }], body.cart) }
  }),
)
