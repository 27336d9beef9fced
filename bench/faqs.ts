import { tuned } from '../features/faqs/demo-paraphrases.ts'
import { addQuestions, wordingsOf } from '../features/faqs/demo.ts'
import { mapleGroveQuestions } from '../features/faqs/demo-questions.ts'
import { searchFaqs } from '../features/faqs/server/search.ts'
import { companyIdFrom, tenancyOn, type Tx } from '../server/tenancy.ts'
import { sql } from 'kysely'
import { inTurns, type Row, timeRow } from './measure.ts'
import type { BenchEnvironment } from './environment.ts'

/**
 * Compares the FAQ search with PostgreSQL's built-in text search for any of the query's words. The built-in search does
 * not handle synonyms or typos.
 */
export async function faqs(environment: BenchEnvironment): Promise<Row[]> {
  const database = await environment.database()
  const inCompany = tenancyOn(database.pools.app)
  const { rows: companies } = await database.owner.query<{ id: number }>(
    `SELECT id FROM company WHERE subdomain = 'maplegrove'`,
  )
  const company = companyIdFrom('import', companies[0]?.id ?? 0)
  const questions = mapleGroveQuestions.map((one) => ({ ...one, alternatives: wordingsOf(one.id) }))
  await inCompany(company, (tx) => addQuestions(tx, company, questions))
  await database.owner.query(`
    ALTER TABLE faq ADD COLUMN words tsvector GENERATED ALWAYS AS (
      to_tsvector('english', question || ' ' || other_wordings || ' ' || answer_text)) STORED;
    CREATE INDEX faq_words ON faq USING gin (words)`)
  await database.owner.query('VACUUM (ANALYZE) faq')
  const textOf = (iteration: number) => tuned[iteration % tuned.length]?.text ?? ''
  const mistyped = (iteration: number) => textOf(iteration).replaceAll(/(\w\w)(\w)(\w)/g, '$1$3$2')
  const ranked = (tx: Tx, text: string) =>
    sql`
    SELECT f.id FROM faq f, (SELECT replace(plainto_tsquery('english', ${text})::text, '&', '|')::tsquery AS query) q
    WHERE f.company_id = ${company} AND f.words @@ q.query ORDER BY ts_rank(f.words, q.query) DESC LIMIT 10`.execute(tx)
  const beside = async (what: string, typed: (iteration: number) => string) =>
    timeRow(
      `search of ${questions.length} questions, ${what}`,
      await inTurns(
        tuned.length,
        (iteration) =>
          inCompany(company, (tx) => searchFaqs(tx, company, { text: typed(iteration), today: '2026-11-20', max: 10 })),
        (iteration) => inCompany(company, (tx) => ranked(tx, typed(iteration))),
      ),
      null,
    )
  return [await beside('as people type them', textOf), await beside('with letters changed about', mistyped)]
}
