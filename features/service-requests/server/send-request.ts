import { type Call, implement } from '../../../server/call.ts'
import { newCaseLink } from '../../../server/cases/emails.ts'
import { recipientOf } from '../../../server/current-preview.ts'
import { conflict, Refusal, rejected } from '../../../server/errors.ts'
import { acceptAnswers, signerOf } from '../../../server/fields/accept-answers.ts'
import { countAttempt, defineAddressLimit, defineLimit } from '../../../server/limits.ts'
import { resolveLocation } from '../../../server/places/at-point.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { dateIn } from '../../../shared/dates.ts'
import { nationalDigits } from '../../../shared/phone.ts'
import { say } from '../../../shared/messages.ts'
import { LOCATION_REQUIRED, sendRequest } from '../contract.ts'
import { numberOf } from '../rules.ts'
import { requests } from './case.ts'
import { chosenCategory, questionsOf } from './categories.ts'
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
  const { company, context } = call
  const person = companyPersonOf(call.session)
  return call.reading(async (tx) => {
    const { forGuests } = await settingsOf(tx, company.id)
    const category = await chosenCategory(tx, company.id, body.categoryId)
    if (person === null && (!forGuests || category.for_guests === 0))
      throw new Refusal(403, 'sign_in_first', say`Sign in to report “${category.name}”.`)
    const questions = await questionsOf(tx, company.id, category)
    if (questions.version !== body.version)
      throw conflict('changed_since', 'The questions have changed. Check your answers, then submit the form again.')
    const today = dateIn(company.timeZone, context.clock.now())
    const signer = signerOf(call, body.name)
    const answers = await acceptAnswers(questions.definition, body.answers, {
      ...{ today, findFile: async () => null, signer },
    })
    return { category, person, version: questions.version, answers }
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
  const { category, person, version, answers } = await checked(call, body)
  if (category.needs_location === 1 && sent.text === '' && sent.lat === null)
    throw rejected(LOCATION_REQUIRED, { location: LOCATION_REQUIRED })
  const id = await call.inCompany((tx) => nextRequestId(tx, company.id, yearOf(call)))
  const token = await call.inCompany(async (tx) => {
    const fieldSetColumns = version === 0 ? {} : { field_set_id: category.field_set_id, version }
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
        answers: JSON.stringify(answers),
        ...fieldSetColumns,
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
