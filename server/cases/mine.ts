import { sql } from 'kysely'
import { MAX_PER_KIND } from '../../shared/ongoing-items.ts'
import type { OngoingItemSource } from '../ongoing-items.ts'
import type { CaseKind } from './kinds.ts'
import { linkToOwnCase } from './emails.ts'
import type { CaseWithStatus } from './states.ts'

/**
 * Lists a resident's open cases of one kind, for their list of open items.
 * @param path returns the path of the case's page, or null if the case has none
 */
export const ongoingCases = <Row extends CaseWithStatus & { person_id: number | null }>(
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
  link: async (tx, owner, id) => of.messagesPath(await linkToOwnCase(tx, owner, of, id)),
})
