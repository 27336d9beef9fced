import { sql } from 'kysely'
import { MAX_PER_KIND } from '../../shared/ongoing-items.ts'
import type { OngoingItemSource } from '../ongoing-items.ts'
import type { CaseKind } from './kinds.ts'
import { linkToMine } from './emails.ts'
import type { CaseWithStatus } from './states.ts'

/**
 * A resident's cases of a kind that have not ended, for all that they have under way.
 * @param path of those that are looked at elsewhere than in their conversation; null for the others
 */
export const casesUnderWay = <Row extends CaseWithStatus & { person_id: number | null }>(
  of: CaseKind<Row>,
  path: (row: Row) => string | null = () => null,
): OngoingItemSource => ({
  kind: of.calls.kind,
  async open(tx, { company, person }) {
    const { rows } = await sql<Row>`
      SELECT * FROM ${sql.table(of.table)}
      WHERE company_id = ${company.id} AND person_id = ${person} AND closed_at IS NULL
      ORDER BY id DESC LIMIT ${MAX_PER_KIND}`.execute(tx)
    return rows.map((row) => ({
      id: row.id,
      title: of.title(row),
      number: of.numberOf(row.id),
      at: row.updated_at.toISOString(),
      state: of.state(row),
      path: path(row),
    }))
  },
  link: async (tx, whose, id) => of.conversationPath(await linkToMine(tx, whose, of, id)),
})
