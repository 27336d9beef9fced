import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { cachedIndex } from './stored-index.ts'

export interface FaqMatch {
  id: number
  /** Matched words, in every form that the company's text uses. */
  lexemes: string[]
}

export interface FaqSearchResult {
  /** Best match first. */
  matches: FaqMatch[]
  /** Corrected text, if the search corrected mistakes and found matches with it. */
  didYouMean: string | null
}

/** Returns an SQL condition that is true if residents see the FAQ in row `f` on a day. */
export const visibleOn = (company: CompanyId, today: string) => sql`
  f.company_id = ${company} AND f.status = 'published'
    AND coalesce(f.visible_from <= ${today}::date, true) AND coalesce(f.visible_until >= ${today}::date, true)`

/**
 * Finds the questions that best match the typed text. One matching word is enough, because people type whole sentences.
 * The company's index stays in memory while its rows are unchanged.
 */
export async function searchFaqs(
  tx: Tx,
  company: CompanyId,
  { text, today, max }: { text: string; today: string; max: number },
): Promise<FaqSearchResult> {
  const index = await cachedIndex(`questions ${company}`, await versionOf(tx, company), () =>
    readQuestions(tx, company),
  )
  return index.search(text, today, max)
}

/**
 * Returns a version string that changes with every write to a searched row. The string contains the position and
 * transaction number of each row. PostgreSQL assigns new values to each written row, even after a rollback.
 */
async function versionOf(tx: Tx, company: CompanyId): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    SELECT concat_ws(' ', current_database(), count(*), sum(hashtextextended(w.row, 0))) AS version FROM (
      SELECT concat(f.id, ' ', f.ctid, ' ', f.xmin) AS row FROM faq f WHERE f.company_id = ${company}
      UNION ALL SELECT concat('s', s.id, ' ', s.ctid, ' ', s.xmin) FROM faq_synonym s WHERE s.company_id = ${company}) w`.execute(
    tx,
  )
  return rows[0]?.version ?? ''
}

async function readQuestions(tx: Tx, company: CompanyId) {
  const questions = await tx
    .selectFrom('faq')
    .select(['id', 'question', 'other_wordings', 'answer_text', 'visible_from', 'visible_until'])
    .where('company_id', '=', company)
    .where('status', '=', 'published')
    .orderBy('position')
    .orderBy('id')
    .execute()
  const synonyms = await tx.selectFrom('faq_synonym').select('terms').where('company_id', '=', company).execute()
  return {
    questions: questions.map((row) => ({
      id: row.id,
      question: row.question,
      otherWordings: row.other_wordings.split('\n').filter((line) => line !== ''),
      answer: row.answer_text,
      from: row.visible_from,
      until: row.visible_until,
    })),
    synonyms: synonyms.map(({ terms }) => terms),
  }
}
