import { sql } from 'kysely'
import { loadCompanyDetails, type Demo, type DemoPart } from '../../server/demo.ts'
import { type CompanyId, tenancyOn, type Tx } from '../../server/tenancy.ts'
import { dateIn } from '../../shared/dates.ts'
import { harborCityQuestions } from './demo-harbor-city.ts'
import { type DemoQuestion, mapleGroveQuestions } from './demo-questions.ts'
import { companySynonyms } from './demo-synonyms.ts'
import { addYear } from './demo-year.ts'
import { paragraphsOf } from '../../shared/rich-text.ts'
import { tuned } from './demo-paraphrases.ts'

export const wordingsOf = (question: string): string[] =>
  tuned.filter(({ id }) => id === question).map(({ text }) => text)

const demoQuestions: Readonly<Record<string, readonly DemoQuestion[]>> = {
  maplegrove: mapleGroveQuestions.map((one) => ({ ...one, alternatives: wordingsOf(one.id) })),
  harborcity: harborCityQuestions,
}

/** Adds questions in order, all published, and the company's synonyms. */
export async function addQuestions(tx: Tx, company: CompanyId, questions: readonly DemoQuestion[]): Promise<void> {
  const names = [...new Set(questions.map(({ category }) => category))]
  const categories = await tx
    .insertInto('faq_category')
    .values(names.map((name, position) => ({ company_id: company, name, position })))
    .returning(['id', 'name'])
    .execute()
  const idOf = new Map(categories.map(({ id, name }) => [name, id]))
  const rows = questions.map(({ category, question, answer, alternatives = [] }, position) => ({
    category: idOf.get(category),
    question,
    answer,
    doc: paragraphsOf(answer),
    position,
    other_wordings: alternatives.join('\n'),
  }))
  await sql`
    INSERT INTO faq (company_id, category_id, status, question, answer, answer_text, position, other_wordings)
    SELECT ${company}, r.category, 'published', r.question, r.doc, r.answer, r.position, r.other_wordings
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (category bigint, question text, answer text, doc jsonb, position int, other_wordings text)`.execute(
    tx,
  )
  await tx
    .insertInto('faq_synonym')
    .values(companySynonyms.map((group) => ({ company_id: company, terms: group })))
    .execute()
}

export const demo: DemoPart = {
  company: async ({ db, clock }: Demo, _demoCompany, { company }) => {
    await tenancyOn(db.app)(company, async (tx) => {
      const { subdomain, timeZone } = await loadCompanyDetails(tx, company)
      const questions = demoQuestions[subdomain]
      if (!questions) return
      await addQuestions(tx, company, questions)
      const now = clock.now()
      await addYear(tx, company, { subdomain, today: dateIn(timeZone, now), now })
    })
  },
}
