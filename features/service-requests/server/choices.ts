import { type Call, implement } from '../../../server/call.ts'
import { townPersonOf } from '../../../server/sessions.ts'
import { dateIn } from '../../../shared/dates.ts'
import { requestChoices, requestQuestions } from '../contract.ts'
import { activeCategories, chosenCategory, questionsOf } from './categories.ts'
import { settingsOf } from './settings.ts'

const nobody = { name: '', email: '', phone: '' }

/** What the form offers: a guest sees what guests may report. */
export const choicesCall = implement(requestChoices, (call) => {
  const { company, session } = call
  const person = townPersonOf(session)
  return call.reading(async (tx) => {
    const { forGuests, hasMap } = await settingsOf(tx, company.id)
    const all = await activeCategories(tx, company.id)
    const offered = person === null ? all.filter(({ for_guests }) => for_guests === 1) : all
    const known =
      person === null
        ? undefined
        : await tx
            .selectFrom('person')
            .select(['first_name', 'last_name', 'email', 'mobile_no'])
            .where('company_id', '=', company.id)
            .where('id', '=', person)
            .executeTakeFirst()
    return {
      signInFirst: person === null && (!forGuests || (offered.length === 0 && all.length > 0)),
      hasMap,
      categories: offered.map(({ id, name, hint, needs_place, target_days }) => ({
        id,
        name,
        hint,
        needsPlace: needs_place === 1,
        days: target_days,
      })),
      known: known
        ? { name: `${known.first_name} ${known.last_name}`.trim(), email: known.email, phone: known.mobile_no }
        : nobody,
    }
  })
})

export const questionsCall = implement(requestQuestions, (call: Call<{ categoryId: number }>) => {
  const { company, house, body } = call
  return call.reading(async (tx) => {
    const { definition, version } = await questionsOf(
      tx,
      company.id,
      await chosenCategory(tx, company.id, body.categoryId),
    )
    return { definition, version, today: dateIn(company.timeZone, house.clock.now()) }
  })
})
