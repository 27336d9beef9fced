import type { Selectable } from 'kysely'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import type { Clock } from '../../../server/clock.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import { type LockedEntity, defineStateStore, type Transition, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId } from '../../../server/tenancy.ts'
import type { EventOf, StateOf } from '../../../shared/machine.ts'
import { say } from '../../../shared/messages.ts'
import { alertStates } from '../states.ts'

export type Alert = Selectable<Schema['alert']>
type State = StateOf<typeof alertStates>

export const { find: findAlert, lock: lockAlert } = rowFinderById('alert', () => notFound('This alert was not found.'))

interface LockedAlert extends LockedEntity<State> {
  row: Alert
}
export const lockedAlert = (row: Alert): LockedAlert => ({
  id: row.id,
  state: row.status,
  name: say`Alert ${row.number}`,
  number: row.number,
  details: { headline: row.content.en.headline },
  row,
})

export type AlertPatch = Partial<Pick<Alert, 'submitted_by' | 'people' | 'sent_at' | 'expires_at'>>

/** Live topic that notifies open staff screens of each transition. */
export const ALERTS_TOPIC = 'alerts'

export const alertStateStore = defineStateStore({
  machine: alertStates,
  subject: 'alert',
  live: { topic: ALERTS_TOPIC },
  lock: async (tx, scope, id) => lockedAlert(await lockAlert(tx, scope as CompanyId, id)),
  write: (tx, { scope, locked, to, patch }: Transition<State, EventOf<typeof alertStates>, LockedAlert, AlertPatch>) =>
    changeRow(tx, 'alert', scope, locked.id, { ...patch, status: to }),
})

export const bySystem = (clock: Clock): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId: '', kind: 'system' },
  clock,
  person: { id: null, name: say`Alerts` },
})
