import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit, networkOf } from '../../../server/limits.ts'
import { dateIn } from '../../../shared/dates.ts'
import { reportHelped } from '../contract.ts'
import { visibleOn } from './search.ts'

/** Rate limit for each IP address and answer: enough for one household, but too low to distort the feedback. */
const helpedByAddress = defineLimit('faq-helped', {
  max: 3,
  minutes: 24 * 60,
  after: 'pause',
  text: 'You already gave feedback on this answer.',
})

export const reportHelpedCall = implement(reportHelped, async (call) => {
  const { company, context, address, body } = call
  const { faqId, helped } = body
  const today = dateIn(company.timeZone, context.clock.now())
  await countAttempt(context, [helpedByAddress(`${company.id}/${faqId}/${networkOf(address)}`)])
  const feedbackColumn = sql.ref(helped ? 'yes' : 'no')
  const { numAffectedRows } = await call.inCompany((tx) =>
    sql`
      INSERT INTO faq_helped AS h (company_id, faq_id, day, ${feedbackColumn})
      SELECT f.company_id, f.id, ${today}::date, 1 FROM faq f WHERE ${visibleOn(company.id, today)} AND f.id = ${faqId}
      ON CONFLICT (company_id, faq_id, day) DO UPDATE SET ${feedbackColumn} = h.${feedbackColumn} + 1`.execute(tx),
  )
  if (!numAffectedRows) throw notFound('This question no longer exists.')
  return { success: true as const, message: 'Thank you.' }
})
