import { sql } from 'kysely'
import type { Findable, Seeker } from '../../../server/findable.ts'
import type { House } from '../../../server/house.ts'
import type { Tx } from '../../../server/tenancy.ts'
import type { FoundKind } from '../../../shared/found-kinds.ts'

type Other = Findable & { kind: FoundKind }

/** Services, forms and payments that somebody could open, feature by feature. */
export async function allFindable({ findable }: House, tx: Tx, seeker: Seeker): Promise<Other[]> {
  const all: Other[] = []
  // One after the other: a transaction answers one question at a time.
  for (const { kind, all: read } of findable) all.push(...(await read(tx, seeker)).map((one) => ({ ...one, kind })))
  return all
}

/** More of a kind than this would hide the others. */
const MOST_OF_KIND = 4
/** What only its description says, and what only another word for it says, counts less. */
const IN_WORDS = 0.4
const SYNONYM = 0.6
/** What is found by so little beside the best of all is not what was meant. */
const NEAR_BEST = 0.5
/** What people put around the word that they mean, as the dictionary writes it: no title is meant by it. */
const AROUND = [
  'get',
  'got',
  'need',
  'want',
  'find',
  'know',
  'go',
  'much',
  'mani',
  'long',
  'pleas',
  'someon',
  'somebodi',
]
/** How alike a mistyped word has to be. */
const ALIKE = 0.32

/** Those of them that fit to what somebody typed, the best of each kind first. */
export async function searchOthers(house: House, tx: Tx, seeker: Seeker, text: string): Promise<Other[]> {
  const all = await allFindable(house, tx, seeker)
  const items = JSON.stringify(all.map(({ title, says }, at) => ({ at, title, says })))
  const { rows } = await sql<{ at: number }>`
    WITH terms AS MATERIALIZED (
      SELECT i.at, t.lexeme, CASE WHEN 'A' = ANY (t.weights) THEN 1 ELSE ${IN_WORDS}::float END AS weight
      FROM jsonb_to_recordset(${items}::jsonb) AS i (at int, title text, says text),
        unnest(setweight(to_tsvector('english', i.title), 'A') || setweight(to_tsvector('english', i.says), 'D')) t),
    vocabulary AS MATERIALIZED (
      SELECT lexeme, ln(1 + ${all.length}::float / count(*)) AS rarity FROM terms GROUP BY lexeme),
    asked AS (SELECT t.lexeme FROM unnest(to_tsvector('english', ${text}::text)) t WHERE t.lexeme <> ALL (${AROUND}::text[])),
    meant AS (
      SELECT a.lexeme AS asked, a.lexeme, 1::float AS sureness FROM asked a
      UNION ALL
      SELECT a.lexeme, other, ${SYNONYM}::float FROM asked a
        JOIN faq_synonym s ON s.company_id = ${seeker.company.id} AND a.lexeme = ANY (tsvector_to_array(s.lexemes)),
        unnest(tsvector_to_array(s.lexemes)) other WHERE other <> a.lexeme
      UNION ALL
      SELECT a.lexeme, near.lexeme, ${SYNONYM}::float FROM asked a CROSS JOIN LATERAL (
        SELECT v.lexeme FROM vocabulary v WHERE similarity(v.lexeme, a.lexeme) > ${ALIKE}::float
        ORDER BY similarity(v.lexeme, a.lexeme) DESC, v.lexeme LIMIT 1) near
      WHERE length(a.lexeme) > 3 AND NOT EXISTS (SELECT FROM vocabulary v WHERE v.lexeme = a.lexeme)),
    scores AS (
      SELECT at, sum(best) AS score FROM (
        SELECT t.at, m.asked, max(m.sureness * t.weight * v.rarity) AS best
        FROM meant m JOIN terms t ON t.lexeme = m.lexeme JOIN vocabulary v ON v.lexeme = m.lexeme GROUP BY t.at, m.asked) b
      GROUP BY at)
    SELECT at FROM scores WHERE score >= ${NEAR_BEST}::float * (SELECT max(score) FROM scores) ORDER BY score DESC, at`.execute(
    tx,
  )
  const left = new Map<FoundKind, number>()
  return rows.flatMap(({ at }) => {
    const one = all[at]
    const many = left.get(one?.kind ?? 'services') ?? 0
    if (!one || many === MOST_OF_KIND) return []
    left.set(one.kind, many + 1)
    return [one]
  })
}
