import { implement } from '../../../server/call.ts'
import { malformed } from '../../../server/errors.ts'
import { say, translated } from '../../../shared/messages.ts'
import { allPayables } from '../../payments/api.ts'
import { findPayables, MIN_LENGTH } from '../contract.ts'

/** Maximum number of matches shown for each type of open item. */
const MAX_MATCHES = 10

/** Finds open items of every searchable type, with their current amounts due. */
export const findPayablesCall = implement(findPayables, async (call) => {
  const { company, body } = call
  if (body.search.length < MIN_LENGTH) throw malformed(say`Enter at least ${MIN_LENGTH} letters or digits.`)
  const results = await call.reading((tx) =>
    Promise.all(
      allPayables().map(async ({ kind, label, takesCredit, search, owed }) => {
        const matches = (await search?.(tx, company.id, body.search, MAX_MATCHES + 1)) ?? []
        const visible = await Promise.all(
          matches.slice(0, MAX_MATCHES).map(async (one) => {
            const { owedCents, pendingCents } = await owed(tx, company.id, one.id)
            return { kind, label: translated(label), takesCredit, ...one, owedCents: owedCents - pendingCents }
          }),
        )
        return { items: visible, more: matches.length > MAX_MATCHES }
      }),
    ),
  )
  return { matches: results.flatMap(({ items }) => items), more: results.some(({ more }) => more) }
})
