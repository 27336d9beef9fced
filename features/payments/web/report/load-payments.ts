import type { AnswerOf, BodyInput } from '../../../../shared/endpoint.ts'
import { call } from '../../../../web/call.ts'
import { queries } from '../../../../web/query.ts'
import { paymentReport } from '../../contract.ts'

type Answer = AnswerOf<typeof paymentReport>
/** How many there are, and what came of them: the same for every page of a question. */
type Sums = { count: number; totals: NonNullable<Answer['totals']> }

/**
 * A page of the report. Its sums are asked for with the first page and kept while its reader turns to others, until a
 * payment comes in and all that is known of the report is forgotten.
 */
export async function loadPayments(question: BodyInput<typeof paymentReport>, signal: AbortSignal | undefined) {
  const key = [paymentReport.path, 'sums', question.search, question.filters]
  const kept = queries.getQueryState<Sums>(key)
  const known = question.cursor && kept && !kept.isInvalidated ? kept.data : undefined
  const { count, totals, ...page } = await call(
    paymentReport,
    { ...question, totals: known === undefined },
    signal && { signal },
  )
  if (known) return { ...page, ...known }
  if (count === null || !totals) throw new Error('the sums were asked for')
  queries.setQueryData<Sums>(key, { count, totals })
  return { ...page, count, totals }
}
