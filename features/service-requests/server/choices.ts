import { type Call, implement } from '../../../server/call.ts'
import { contactOf } from '../../../server/fields/known.ts'
import { companyPersonOf } from '../../../server/sessions.ts'
import { dateIn } from '../../../shared/dates.ts'
import { requestChoices, requestQuestions } from '../contract.ts'
import { activeCategories, chosenCategory, questionsOf } from './categories.ts'
import { settingsOf } from './settings.ts'

/** Loads the choices for the form that reports a problem. Guests see only the categories that allow guests. */
export const choicesCall = implement(requestChoices, (call) => {
  const { company, session } = call
  const person = companyPersonOf(session)
  return call.reading(async (tx) => {
    const { forGuests, hasMap } = await settingsOf(tx, company.id)
    const all = await activeCategories(tx, company.id)
    const offered = person === null ? all.filter(({ for_guests }) => for_guests === 1) : all
    return {
      signInFirst: person === null && (!forGuests || (offered.length === 0 && all.length > 0)),
      hasMap,
      categories: offered.map(({ id, name, hint, needs_location, target_days }) => ({
        id,
        name,
        hint,
        needsLocation: needs_location === 1,
        days: target_days,
      })),
      prefill: await contactOf(tx, company.id, person),
    }
  })
})

export const questionsCall = implement(requestQuestions, (call: Call<{ categoryId: number }>) => {
  const { company, context, body } = call
  return call.reading(async (tx) => {
    const { definition, version } = await questionsOf(
      tx,
      company.id,
      await chosenCategory(tx, company.id, body.categoryId),
    )
    return { definition, version, today: dateIn(company.timeZone, context.clock.now()) }
  })
})
