import type { Call } from '../../../server/call.ts'
import { conflict, rejected } from '../../../server/errors.ts'
import { acceptAnswers, type Signer } from '../../../server/fields/accept-answers.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { LocationValue } from '../../../shared/places.ts'
import { LOCATION_REQUIRED } from '../contract.ts'
import { type Category, questionsOf } from './categories.ts'

/**
 * Validates the answers to the questions of a category. Returns the columns of the request that store them.
 * @param signer null if staff enter the answers
 * @throws 409 if the questions have changed since the person answered them
 */
export async function acceptQuestions(
  tx: Tx,
  { context, company }: Call,
  category: Category,
  body: { version: number; answers: Record<string, unknown> },
  signer: Signer | null,
) {
  const { version, definition } = await questionsOf(tx, company.id, category)
  if (version !== body.version)
    throw conflict('changed_since', 'The questions have changed. Check your answers, then submit the form again.')
  const today = dateIn(company.timeZone, context.clock.now())
  const answers = await acceptAnswers(definition, body.answers, { today, findFile: async () => null, signer })
  return { answers: JSON.stringify(answers), ...(version !== 0 && { field_set_id: category.field_set_id, version }) }
}

/** Checks that a request has the location that its category needs. @throws 422 if it has none */
export function expectLocation({ needs_location }: Category, { text, lat }: LocationValue): void {
  if (needs_location === 1 && text === '' && lat === null)
    throw rejected(LOCATION_REQUIRED, { location: LOCATION_REQUIRED })
}
