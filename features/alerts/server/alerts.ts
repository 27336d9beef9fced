import type { Selectable } from 'kysely'
import { changeRow, rowsByNumber } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { type LockedEntity, defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import type { EventOf, StateOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/words.ts'
import { alertStates } from '../states.ts'

export type Alert = Selectable<Schema['alert']>
type State = StateOf<typeof alertStates>

export const { find: findAlert, lock: lockAlert } = rowsByNumber('alert', () => notFound('This alert was not found.'))

interface HeldAlert extends LockedEntity<State> {
  row: Alert
}
export const heldAlert = (row: Alert): HeldAlert => ({
  id: row.id,
  state: row.status,
  name: say`Alert ${row.number}`,
  number: row.number,
  told: { headline: row.words.en.headline },
  row,
})

/** What is written with a step, beside the state. */
export type AlertPatch = Partial<Pick<Alert, 'submitted_by' | 'people' | 'sent_at' | 'expires_at'>>

/** Open screens of staff hear of each step. */
export const ALERTS_TOPIC = 'alerts'

export const keptAlerts = defineStateStore({
  machine: alertStates,
  subject: 'alert',
  live: { topic: ALERTS_TOPIC },
  lock: async (tx, place, id) => heldAlert(await lockAlert(tx, place as CompanyId, id)),
  write: (tx, { place, held, to, facts }: Transition<State, EventOf<typeof alertStates>, HeldAlert, AlertPatch>) =>
    changeRow(tx, 'alert', place, held.id, { ...facts, status: to }),
})

/** What the portal does by itself. */
export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId: '', kind: 'system' },
  clock,
  known: { id: null, name: say`Alerts` },
})
