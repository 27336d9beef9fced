import { sql } from 'kysely'
import { PLATFORM } from '../audit.ts'
import { notFound } from '../errors.ts'
import { type LockedEntity, defineStateStore, type Scope } from '../states.ts'
import type { EventOf } from '../../shared/machine.ts'
import { accountStates, type AccountStatus } from '../../shared/account-states.ts'

interface AccountFlags {
  is_active: number
  locked_at: Date | null
  has_password: boolean
}

export const statusOf = ({ is_active, locked_at, has_password }: AccountFlags): AccountStatus =>
  is_active === 0 ? 'inactive' : locked_at ? 'locked' : has_password ? 'active' : 'invited'

/** SQL form of `statusOf`, with the same precedence. `p` is the person. */
export const statusSql = sql<string>`CASE WHEN p.is_active = 0 THEN 'inactive' WHEN p.locked_at IS NOT NULL THEN 'locked'
  WHEN p.password_hash IS NULL THEN 'invited' ELSE 'active' END`

/** Returns the changes that an event makes to the columns of an account. */
const changeOf = (event: EventOf<typeof accountStates>, at: Date): Partial<AccountFlags> =>
  ({
    invite: {},
    import: {},
    accept: { has_password: true },
    recover: { has_password: true },
    lock: { locked_at: at },
    unlock: { locked_at: null },
    deactivate: { is_active: 0 },
    close: { is_active: 0 },
    activate: { is_active: 1 },
  })[event]

/** Returns the tables of the accounts: a company's, or the platform's. */
const tablesOf = (scope: Scope) =>
  scope === PLATFORM
    ? { people: sql`platform_person`, sessions: sql`platform_session`, own: sql`` }
    : { people: sql`person`, sessions: sql`session`, own: sql`company_id = ${scope} AND` }

type Account = LockedEntity<AccountStatus> & AccountFlags

/** State store of accounts. `passwordHash` is the hash of a person's first password. */
export const accounts = defineStateStore<
  AccountStatus,
  EventOf<typeof accountStates>,
  Account,
  { passwordHash: string }
>({
  machine: accountStates,
  subject: 'person',
  lock: async (tx, scope, id) => {
    const { people, own } = tablesOf(scope)
    const { rows } = await sql<{ name: string } & AccountFlags>`
      SELECT first_name || ' ' || last_name AS name, is_active, locked_at, password_hash IS NOT NULL AS has_password
      FROM ${people} WHERE ${own} id = ${id} FOR NO KEY UPDATE`.execute(tx)
    const [row] = rows
    if (!row) throw notFound('This account was not found.')
    return { ...row, id, state: statusOf(row), person: id }
  },
  targetState: (locked, event, at) => statusOf({ ...locked, ...changeOf(event, at) }),
  write: async (tx, { scope, locked, event, at, patch }) => {
    const { people, own } = tablesOf(scope)
    const { is_active, locked_at } = { ...locked, ...changeOf(event, at) }
    const password = patch ? sql`, password_hash = ${patch.passwordHash}` : sql``
    await sql`
      UPDATE ${people} SET is_active = ${is_active}, locked_at = ${locked_at}${password}
      WHERE ${own} id = ${locked.id}`.execute(tx)
  },
  effects: {
    // Ends all sessions of a person who may no longer sign in.
    every: async (tx, { scope, locked, to, at }) => {
      if (to !== 'inactive' && to !== 'locked') return
      const { sessions, own } = tablesOf(scope)
      await sql`
        UPDATE ${sessions} SET ended_at = ${at} WHERE ${own} person_id = ${locked.id} AND ended_at IS NULL`.execute(tx)
    },
  },
})
