import { type Call, implement } from '../../../server/call.ts'
import { newCaseLink } from '../../../server/cases/emails.ts'
import { recipientOf } from '../../../server/current-preview.ts'
import { Refusal } from '../../../server/errors.ts'
import { signerOf } from '../../../server/fields/accept-answers.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { sendRequest } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { acceptQuestions, expectLocation } from './accept-questions.ts'
import { requests } from './case.ts'
import { chosenCategory } from './categories.ts'
import { enterRequest, nextRequestId, yearOf } from './enter-request.ts'
import { settingsOf } from './settings.ts'

/**
 * The rate limit per IP address is higher than the limit per email address. A library or many households may share an
 * IP address, but an email address belongs to one person.
 */
const perAddress = defineAddressLimit('request', { max: 30 })
const perMailbox = defineLimit('request-mailbox', { max: 6 })

/** Validates a request completely before the portal assigns its number. */
async function checked(
  call: Call,
  body: { categoryId: number; version: number; answers: Record<string, unknown>; name: string },
) {
  const { company } = call
  const person = companyPersonOf(call.session)
  return call.reading(async (tx) => {
    const { forGuests } = await settingsOf(tx, company.id)
    const category = await chosenCategory(tx, company.id, body.categoryId)
    if (person === null && (!forGuests || category.for_guests === 0))
      throw new Refusal(403, 'sign_in_first', say`Sign in to report “${category.name}”.`)
    const answered = await acceptQuestions(tx, call, category, body, signerOf(call, body.name))
    return { category, person, answered }
  })
}

/** Creates a request for the current caller. The host identifies the company, and the session identifies the person. */
export const sendRequestCall = implement(sendRequest, async (call) => {
  const { context, company, body, address } = call
  const { description, name, email, phone, location: sent, files } = body
  await countAttempt(context, [
    perAddress(address),
    ...(email ? [perMailbox(`${company.id}/${email.toLowerCase()}`)] : []),
  ])
  const { category, person, answered } = await checked(call, body)
  expectLocation(category, sent)
  const id = await call.inCompany((tx) => nextRequestId(tx, company.id, yearOf(call)))
  const token = await call.inCompany(async (tx) => {
    await enterRequest(tx, call, {
      id,
      category,
      location: await resolveLocation(tx, company.id, sent),
      text: {
        description,
        name,
        email,
        phone: nationalDigits(phone),
        person_id: person,
        ...answered,
      },
      files,
    })
    return newCaseLink(tx, context, requests, company, id)
  })
  const number = numberOf(id)
  return {
    success: true as const,
    number,
    token,
    message: email
      ? say`Request ${number} was received. We emailed ${recipientOf(email)} a link to the request.`
      : say`Request ${number} was received. We will call you.`,
  }
})
