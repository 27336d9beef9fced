import { sql } from 'kysely'
import { PLATFORM } from '../../../server/audit.ts'
import { notFound } from '../../../server/errors.ts'
import { defineStateStore, type Scope } from '../../../server/states.ts'
import { departmentStates } from '../states.ts'

export const statusOf = ({ is_active }: { is_active: 0 | 1 }) => (is_active === 1 ? 'active' : 'inactive')

/** Returns the table and condition for the departments of a company or of the platform. */
const tableOf = (scope: Scope) =>
  scope === PLATFORM ? [sql`platform_department`, sql``] : [sql`department`, sql`company_id = ${scope} AND`]

export const unknownDepartment = () => notFound('This department was not found.')

export const departments = defineStateStore({
  machine: departmentStates,
  subject: 'department',
  lock: async (tx, scope, id) => {
    const [table, own] = tableOf(scope)
    const { rows } = await sql<{ name: string; is_active: 0 | 1 }>`
      SELECT name, is_active FROM ${table} WHERE ${own} id = ${id} FOR NO KEY UPDATE`.execute(tx)
    const [row] = rows
    if (!row) throw unknownDepartment()
    return { id, name: row.name, state: statusOf(row), details: { name: row.name } }
  },
  write: async (tx, { scope, locked, to }) => {
    const [table, own] = tableOf(scope)
    await sql`UPDATE ${table} SET is_active = ${to === 'active' ? 1 : 0} WHERE ${own} id = ${locked.id}`.execute(tx)
  },
})
