import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { keptIndex } from './stored-index.ts'

export interface FaqMatch {
  id: number
  /** The words that were found in it, in every form in which the town writes them. */
  lexemes: string[]
}

export interface SearchAnswer {
  /** The best first. */
  found: FaqMatch[]
  /** What was typed without its mistakes, where these were taken for others and something was found by that. */
  didYouMean: string | null
}

/** What residents see on a day, of a row that is called `f`. */
export const shownOn = (company: CompanyId, today: string) => sql`
  f.company_id = ${company} AND f.status = 'published'
    AND coalesce(f.shown_from <= ${today}::date, true) AND coalesce(f.shown_until >= ${today}::date, true)`

/**
 * The questions that fit best to what somebody typed. Any of its words is enough: people ask in whole sentences, and few
 * of their words are ours. What a town has is kept in memory for as long as none of its rows is another.
 */
export async function searchFaqs(
  tx: Tx,
  company: CompanyId,
  { text, today, most }: { text: string; today: string; most: number },
): Promise<SearchAnswer> {
  const index = await keptIndex(`questions ${company}`, await versionOf(tx, company), () => readQuestions(tx, company))
  return index.search(text, today, most)
}

/**
 * Another text as soon as any row that is searched is another, whoever wrote it and however: PostgreSQL itself gives each
 * row that is written a place and the number of its transaction, also where that is rolled back.
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
    .select(['id', 'question', 'asked_as', 'answer_text', 'shown_from', 'shown_until'])
    .where('company_id', '=', company)
    .where('status', '=', 'published')
    .orderBy('position')
    .orderBy('id')
    .execute()
  const synonyms = await tx.selectFrom('faq_synonym').select('words').where('company_id', '=', company).execute()
  return {
    questions: questions.map((row) => ({
      id: row.id,
      question: row.question,
      askedAs: row.asked_as.split('\n').filter((line) => line !== ''),
      answer: row.answer_text,
      from: row.shown_from,
      until: row.shown_until,
    })),
    synonyms: synonyms.map(({ words }) => words),
  }
}
