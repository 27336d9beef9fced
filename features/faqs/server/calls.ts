import { sql } from 'kysely'
import { implement } from '../../../server/call.ts'
import { dateIn } from '../../../shared/dates.ts'
import * as contract from '../contract.ts'
import type { RichText } from '../../../shared/rich-text.ts'
import { storeQuietly } from './missing.ts'
import { searchOthers } from './others.ts'
import { searchFaqs, visibleOn } from './search.ts'

/** Maximum number of matches, because few people read more. */
const MAX_MATCHES = 10

export const listFaqsCall = implement(contract.listFaqs, async (call) => {
  const { company, context } = call
  const today = dateIn(company.timeZone, context.clock.now())
  const { rows } = await call.reading((tx) =>
    sql<{ id: number; name: string; faqs: contract.Faq[] }>`
      SELECT c.id, c.name, jsonb_agg(
        jsonb_build_object('id', f.id, 'question', f.question, 'answer', f.answer) ORDER BY f.position, f.id) AS faqs
      FROM faq f JOIN faq_category c ON c.company_id = f.company_id AND c.id = f.category_id
      WHERE ${visibleOn(company.id, today)} GROUP BY c.company_id, c.id ORDER BY c.position, c.id`.execute(tx),
  )
  return { categories: rows }
})

export const searchFaqsCall = implement(contract.searchFaqs, async (call) => {
  const { company, context, body } = call
  const today = dateIn(company.timeZone, context.clock.now())
  const result = await call.reading(async (tx) => {
    const seeker = { company, today, isSignedIn: call.session?.kind === 'citizen' }
    const { matches: best, didYouMean } = await searchFaqs(tx, company.id, { text: body.text, today, max: MAX_MATCHES })
    const others = await searchOthers(context, tx, seeker, didYouMean ?? body.text)
    if (best.length === 0) return { matches: [], others: others.map(otherView), didYouMean }
    const rows = await tx
      .selectFrom('faq')
      .select(['id', 'question', 'answer'])
      .where('company_id', '=', company.id)
      .where(
        'id',
        'in',
        best.map(({ id }) => id),
      )
      .execute()
    const rowOf = new Map(rows.map((row) => [row.id, row]))
    return {
      matches: best.flatMap(({ id, lexemes }) => {
        const row = rowOf.get(id)
        return row ? [{ ...row, answer: row.answer as unknown as RichText, lexemes }] : []
      }),
      others: others.map(otherView),
      didYouMean,
    }
  })
  if (!body.isTyping && result.matches.length + result.others.length === 0) await storeQuietly(call, body.text)
  return result
})

const otherView = ({ kind, title, path }: Awaited<ReturnType<typeof searchOthers>>[number]) => ({ kind, title, path })
