import { implement } from '../../../server/call.ts'
import { openCase } from '../../../server/cases/open.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { sendRequest } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { supportStateStore, supportRequests } from './case.ts'
import { receivedEmail } from './emails.ts'

/**
 * Rate limits by IP address and by mailbox. The first is higher, because a library or many households may share an IP
 * address.
 */
const perAddress = defineAddressLimit('support-request', { max: 30 })
const perMailbox = defineLimit('support-mailbox', { max: 4 })

/** Creates a support request for the caller. The host identifies the company, and the session identifies the person. */
export const sendRequestCall = implement(sendRequest, async (call) => {
  const { context, company, body, session, address } = call
  const { companyId: _named, leaveEmpty: _trap, files, ...form } = body
  await countAttempt(context, [
    perAddress(address),
    ...(form.email ? [perMailbox(`${company.id}/${form.email.toLowerCase()}`)] : []),
  ])
  const at = context.clock.now()
  const person = companyPersonOf(session)
  const id = await call.inCompany(async (tx) => {
    const { accountNumber, phone, ...same } = form
    const inserted = await tx
      .insertInto('support_request')
      .values({
        ...same,
        company_id: company.id,
        created_at: at,
        updated_at: at,
        closed_at: null,
        first_reply_at: null,
        account_number: accountNumber,
        phone: nationalDigits(phone),
        person_id: person,
        assigned_to: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await openCase(tx, call, supportRequests, inserted, {
      files,
      confirmationEmail: () => receivedEmail(inserted.id),
      begins: { states: supportStateStore, event: 'submit', detail: { category: form.category } },
    })
    return inserted.id
  })
  const number = numberOf(id)
  return {
    success: true as const,
    number,
    message: form.email
      ? say`Request ${number} was received. We emailed ${form.email} a link to the request.`
      : say`Request ${number} was received. We will call you.`,
  }
})
