import { type RawBuilder, sql } from 'kysely'
import { findRecords, MAX_PER_KIND } from '../shared/lookups.ts'
import { translated } from '../shared/messages.ts'
import { may } from '../shared/privileges.ts'
import { type Call, implement, signedIn } from './call.ts'
import { countAttempt, defineLimit } from './limits.ts'
import { allOf, hasPart, searchTerms } from './list-sql.ts'
import type { Lookup, ModuleLookup, TextSearch } from './lookups.ts'
import type { CompanyId } from './tenancy.ts'

type Sql = RawBuilder<unknown>

/** Number of the newest records that a search reads before it uses the text index. */
const NEAR = 300
/** Maximum number of matches from the text index that a search ranks. */
const MAX_RANKED = 500
/** Minimum length of a word that a trigram index can find. */
const MIN_INDEXED_LENGTH = 3

/** Ranks of the results: exact number, name, address, other text. */
const EXACT = 0
const NAME = 1

const limit = defineLimit('find-records', {
  max: 500,
  minutes: 15,
  after: 'pause',
  text: 'You searched very often in a short time.',
})

interface MatchRow {
  lookup: number
  rank: number
  data: never
}

/**
 * Builds the query for one kind. It ranks the newest matches and those of the text index. It skips the text index if
 * the newest records have enough matching names, because a common word would match many records.
 */
function queryOf(lookup: Lookup, index: number, search: string, company: CompanyId): Sql | null {
  const { table, find, columns, where = sql`true` } = lookup
  const number = lookup.number(search)
  if (!number && !find) return null
  const own = sql`r.company_id = ${company} AND ${where}`
  const none = sql`SELECT r.id, ${sql.lit(EXACT)} AS rank FROM ${table} r WHERE false`
  const exact = number ? sql`SELECT r.id, ${sql.lit(EXACT)} AS rank FROM ${table} r WHERE ${own} AND ${number}` : none
  const { near, rest } = find ? matchesOf(find, table, own, search, none) : { near: none, rest: none }
  const values = Object.entries(columns).flatMap(([name, value]) => [sql.lit(name), value])
  return sql`(
    WITH near AS MATERIALIZED (${near}), rest AS MATERIALIZED (${rest}), best AS (
      SELECT id, min(rank) AS rank FROM (
        (${exact} LIMIT ${MAX_PER_KIND})
        UNION ALL SELECT id, rank FROM near
        UNION ALL (SELECT id, rank FROM rest
          WHERE (SELECT count(*) FROM near WHERE rank = ${sql.lit(NAME)}) < ${MAX_PER_KIND} LIMIT ${MAX_RANKED})
      ) AS matches GROUP BY id ORDER BY 2, 1 DESC LIMIT ${MAX_PER_KIND})
    SELECT ${sql.lit(index)} AS lookup, best.rank, row_number() OVER (ORDER BY best.rank, best.id DESC) AS place,
      jsonb_build_object(${sql.join(values)}) AS data
    FROM best JOIN ${table} r ON ${own} AND r.id = best.id)`
}

const inSearchText = (word: string) => hasPart(sql`r.search_text`, word)

function matchesOf(
  { word = inSearchText, name, address, isSmall }: TextSearch,
  table: Sql,
  own: Sql,
  search: string,
  none: Sql,
) {
  const terms = searchTerms(search)
  const matches = allOf(terms.map(word))
  const contains = (text: Sql) => allOf(terms.map((one) => hasPart(text, one)))
  const rank = sql`CASE WHEN ${contains(name)} THEN ${sql.lit(NAME)}
    ${address ? sql`WHEN ${contains(address)} THEN 2` : sql``} ELSE 3 END AS rank`
  const all = sql`SELECT r.id, ${rank} FROM ${table} r WHERE ${own} AND ${matches}`
  if (isSmall) return { near: none, rest: all }
  const isIndexed = terms.some(({ length }) => length >= MIN_INDEXED_LENGTH)
  return {
    near: sql`SELECT r.id, ${rank} FROM (
      SELECT r.* FROM ${table} r WHERE ${own} ORDER BY r.id DESC LIMIT ${NEAR}) r WHERE ${matches}`,
    rest: isIndexed ? all : none,
  }
}

/** Returns the lookups that the caller may use: those of areas with the permission to view, and of modules that are on. */
const lookupsOf = (call: Call): ModuleLookup[] =>
  call.context.lookups.filter(
    ({ area, module }) =>
      may(signedIn(call).privileges, area, 'view') && !(module !== undefined && call.company.off.includes(module)),
  )

export const findRecordsCall = implement(findRecords, async (call) => {
  await countAttempt(call.context, [limit(`${call.company.id}/${signedIn(call).personId}`)])
  const lookups = lookupsOf(call)
  const queries = lookups.flatMap((lookup, index) => queryOf(lookup, index, call.body.search, call.company.id) ?? [])
  if (queries.length === 0) return { kinds: [] }
  const { rows } = await call.reading((tx) =>
    sql<MatchRow>`SELECT lookup, rank, data FROM (${sql.join(queries, sql` UNION ALL `)}) AS results
      ORDER BY lookup, place`.execute(tx),
  )
  const kinds = lookups.flatMap((lookup, index) => {
    const own = rows.filter((row) => row.lookup === index)
    if (own.length === 0) return []
    const records = own.map(({ rank, data }) => {
      const { title, detail, path } = lookup.show(data, call)
      return { title, detail: detail.filter(Boolean).join(' · '), path, isExact: rank === EXACT }
    })
    return [{ rank: own[0]?.rank ?? 0, label: translated(lookup.kind), records }]
  })
  return { kinds: kinds.toSorted((a, b) => a.rank - b.rank).map(({ label, records }) => ({ label, records })) }
})
