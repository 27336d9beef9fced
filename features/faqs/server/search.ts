import { sql } from 'kysely'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'

export interface Found {
  id: number
  /** What was found in it, as the dictionary of the search writes it: without endings. */
  lexemes: string[]
}

/** What residents see on a day, of a row that is called `f`. */
export const shownOn = (company: CompanyId, today: string) => sql`
  f.company_id = ${company} AND f.status = 'published'
    AND coalesce(f.shown_from <= ${today}::date, true) AND coalesce(f.shown_until >= ${today}::date, true)`

/** A synonym counts a little less than the word itself, a mistyped word less by each letter. */
const SYNONYM = 0.75
const PER_LETTER = 0.15
/** What stands only in the answer, beside what stands in the question. */
const IN_ANSWER = 0.5
/** How much it helps that the whole question looks alike. */
const ALIKE = 3

/**
 * The questions that fit best to what somebody typed, the best first. Any of its words is enough: people ask in whole
 * sentences, and few of their words are ours. A rare word counts more than a common one.
 */
export async function searchFaqs(
  tx: Tx,
  company: CompanyId,
  { text, today, most }: { text: string; today: string; most: number },
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    WITH docs AS MATERIALIZED (SELECT f.id, f.question, f.search FROM faq f WHERE ${shownOn(company, today)}),
    terms AS MATERIALIZED (
      SELECT d.id, t.lexeme, CASE WHEN t.weights && ARRAY['A', 'B'] THEN 1 ELSE ${IN_ANSWER}::float END AS weight
      FROM docs d, unnest(d.search) t),
    vocabulary AS MATERIALIZED (
      SELECT lexeme, ln(1 + (SELECT count(*) FROM docs)::float / count(*)) AS rarity FROM terms GROUP BY lexeme),
    pairs AS MATERIALIZED (
      SELECT one AS lexeme, other FROM faq_synonym s, unnest(tsvector_to_array(s.lexemes)) one, unnest(tsvector_to_array(s.lexemes)) other
      WHERE s.company_id = ${company} AND one <> other),
    known AS MATERIALIZED (SELECT lexeme FROM vocabulary UNION SELECT lexeme FROM pairs),
    asked AS MATERIALIZED (SELECT t.lexeme FROM unnest(to_tsvector('english', ${text}::text)) t),
    meant AS MATERIALIZED (
      SELECT a.lexeme AS asked, a.lexeme, 1::float AS sureness FROM asked a JOIN known k ON k.lexeme = a.lexeme
      UNION ALL
      SELECT a.lexeme, near.lexeme, 1 - ${PER_LETTER}::float * near.letters FROM asked a
        CROSS JOIN LATERAL (
          SELECT k.lexeme, levenshtein_less_equal(a.lexeme, k.lexeme, 2) AS letters FROM known k
          WHERE length(k.lexeme) BETWEEN length(a.lexeme) - 1 AND length(a.lexeme) + 1 AND length(k.lexeme) > 2
          ORDER BY letters, left(k.lexeme, 1) <> left(a.lexeme, 1), similarity(a.lexeme, k.lexeme) DESC LIMIT 2) near
      WHERE length(a.lexeme) BETWEEN 4 AND 40 AND near.letters <= 2 AND NOT EXISTS (SELECT FROM known k WHERE k.lexeme = a.lexeme)),
    wanted AS (
      SELECT asked, lexeme, max(sureness) AS sureness FROM (
        SELECT asked, lexeme, sureness FROM meant
        UNION ALL
        SELECT m.asked, p.other, m.sureness * ${SYNONYM}::float FROM meant m JOIN pairs p ON p.lexeme = m.lexeme) w
      GROUP BY asked, lexeme),
    hits AS (
      SELECT t.id, w.asked, t.lexeme, w.sureness * t.weight * v.rarity AS score
      FROM wanted w JOIN vocabulary v ON v.lexeme = w.lexeme JOIN terms t ON t.lexeme = w.lexeme),
    scores AS (
      SELECT id, sum(best) AS score, array_agg(DISTINCT word) AS lexemes FROM (
        SELECT id, asked, max(score) AS best, (array_agg(lexeme ORDER BY score DESC))[1] AS word FROM hits GROUP BY id, asked) h
      GROUP BY id)
    SELECT d.id, s.lexemes FROM scores s JOIN docs d ON d.id = s.id
    ORDER BY s.score + ${ALIKE}::float * similarity(d.question, ${text}::text) DESC, d.id LIMIT ${most}`.execute(tx)
  return rows
}
