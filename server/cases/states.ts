import { sql } from 'kysely'
import { type StateMachine, NEW, type StateName } from '../../shared/machine.ts'
import { type LockedEntity, historyOf, type StateStore, defineStateStore, type Transition } from '../states.ts'
import type { Tx } from '../tenancy.ts'
import { announceToPerson, lockCase } from './entries.ts'
import type { CaseKind, CaseRow, CaseStep } from './kinds.ts'

/** Subject with a state and a case, stored in one row. */
export interface CaseWithStatus<S extends StateName = StateName> extends CaseRow {
  status: S
  closed_at: Date | null
}
type LockedCase<S extends StateName, Row> = LockedEntity<S> & { row: Row }

/** Transition of a case. `locked.row` is the row before the transition. */
export type CaseTransition<S extends StateName, E, Row> = Transition<S, E, LockedCase<S, Row>, undefined>

/**
 * Defines the state store of a case kind, with its checks and effects. The state is in the `status` column of the
 * subject's row. Locking the case locks that row.
 */
export const defineCaseStateStore = <
  S extends StateName,
  E extends string,
  Row extends CaseWithStatus<S>,
  D = undefined,
>(
  of: CaseKind<Row>,
  machine: StateMachine<S, E, NoInfer<E>>,
  rules: Pick<StateStore<S, E, LockedCase<S, Row>, undefined, D>, 'guard' | 'effects'> = {},
) =>
  defineStateStore<S, E, LockedCase<S, Row>, undefined, D>({
    machine,
    subject: of.subject,
    live: { topic: of.calls.topic, ...(of.calls.audience === 'platform' && { over: 'everywhere' }) },
    lock: async (tx, scope, id) => {
      const row = await lockCase(tx, of, scope, id)
      const number = of.numberOf(id)
      return { id: row.id, state: row.status, name: number, number, row }
    },
    write: async (tx, { scope, locked, to, at }) => {
      await sql`UPDATE ${sql.table(of.table)}
        SET status = ${to}, closed_at = ${machine.states[to].open ? null : at}::timestamptz, updated_at = ${at}
        WHERE company_id = ${scope} AND id = ${locked.id}`.execute(tx)
      await announceToPerson(tx, of, locked.row)
    },
    ...rules,
  })

/** Returns the function that reads the state of a case with its label, for `defineCase`. */
export const stateFrom =
  <S extends StateName>({ labels, states }: Pick<StateMachine<S>, 'labels' | 'states'>) =>
  ({ status }: { status: S }) => ({ label: labels[status], kind: states[status].kind })

/**
 * Returns the function that reads a case's transitions from its history, for `defineCase`.
 * @param forEveryone states that the requester also sees. Only staff see the reasons
 */
export const stepsFrom =
  <S extends StateName>(
    { name, names, labels }: Pick<StateMachine<S>, 'name' | 'names' | 'labels'>,
    forEveryone: S[] = [],
  ) =>
  async (tx: Tx, { company_id, id }: CaseRow): Promise<CaseStep[]> => {
    const steps = await historyOf(tx, { name }, company_id, id).where('from_state', '<>', NEW).execute()
    return steps.map(({ seq, at, to_state, actor_name, reason }) => {
      const to = names.find((state) => String(state) === to_state) as S
      return {
        id: seq,
        at,
        by: actor_name,
        label: labels[to],
        reason,
        visibility: forEveryone.includes(to) ? 'everyone' : 'staff',
      }
    })
  }
