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
const PER_LETTER = 0.2
/** What stands only in the answer, beside what stands in the question. */
const IN_ANSWER = 0.7
/** How much more a word counts in a text that says it again. */
const AGAIN = 0.5
/** How much it helps that a whole question, or a way to ask it, looks alike. */
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
    WITH docs AS MATERIALIZED (SELECT f.id, f.question, f.asked_as, f.search, f.words FROM faq f WHERE ${shownOn(company, today)}),
    terms AS MATERIALIZED (
      SELECT d.id, t.lexeme, CASE WHEN t.weights && ARRAY['A', 'B'] THEN 1 ELSE ${IN_ANSWER}::float END
        * (1 + ${AGAIN}::float * ln(cardinality(t.positions))) AS weight
      FROM docs d, unnest(d.search) t),
    vocabulary AS MATERIALIZED (
      SELECT lexeme, ln(1 + (SELECT count(*) FROM docs)::float / count(*)) AS rarity FROM terms GROUP BY lexeme),
    pairs AS MATERIALIZED (
      SELECT one AS lexeme, other FROM faq_synonym s, unnest(tsvector_to_array(s.lexemes)) one, unnest(tsvector_to_array(s.lexemes)) other
      WHERE s.company_id = ${company} AND one <> other),
    known AS MATERIALIZED (SELECT lexeme FROM vocabulary UNION SELECT lexeme FROM pairs),
    spelled AS MATERIALIZED (
      SELECT t.lexeme AS word, count(*) AS times FROM docs d, unnest(d.words) t GROUP BY t.lexeme
      UNION ALL
      SELECT t.lexeme, 0 FROM faq_synonym s, unnest(s.spelled) t WHERE s.company_id = ${company}),
    typed AS MATERIALIZED (
      SELECT t.lexeme AS word, coalesce((tsvector_to_array(to_tsvector('english', t.lexeme)))[1], '') AS lexeme
      FROM unnest(to_tsvector('simple', ${text}::text)) t),
    asked AS MATERIALIZED (
      SELECT t.word, t.lexeme, EXISTS (SELECT FROM known k WHERE k.lexeme = t.lexeme)
        OR EXISTS (SELECT FROM spelled s WHERE s.word = t.word) AS is_known FROM typed t WHERE t.lexeme <> ''),
    meant AS MATERIALIZED (
      SELECT a.word AS asked, a.lexeme, 1::float AS sureness FROM asked a WHERE a.is_known
      UNION ALL
      SELECT a.word, t.lexeme, 1 - ${PER_LETTER}::float * near.letters FROM asked a
        CROSS JOIN LATERAL (
          SELECT o.word, o.letters - (o.letters = 2 AND o.same)::int AS letters FROM (
            SELECT s.word, s.times, levenshtein_less_equal(a.word, s.word, 2) AS letters, length(s.word) = length(a.word) AND
              translate(a.word, s.word, '') = '' AND translate(s.word, a.word, '') = '' AS same
            FROM spelled s WHERE length(s.word) BETWEEN length(a.word) - 2 AND length(a.word) + 2 AND length(s.word) > 2) o
          WHERE o.letters <= 2
          ORDER BY 2, left(o.word, 1) <> left(a.word, 1), o.times DESC, o.word LIMIT 1) near
        CROSS JOIN LATERAL unnest(to_tsvector('english', near.word)) t
      WHERE NOT a.is_known AND length(a.word) BETWEEN 3 AND 40),
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
      CROSS JOIN LATERAL (
        SELECT max(similarity(line, ${text}::text)) AS alike
        FROM unnest(string_to_array(d.asked_as, E'\\n') || d.question) line) l
    ORDER BY s.score + ${ALIKE}::float * l.alike DESC, d.id LIMIT ${most}`.execute(tx)
  return rows
}
