import type { Updateable } from 'kysely'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { Clock } from '../../../server/clock.ts'
import { defineStateStore, type LockedEntity, type TransitionActor } from '../../../server/states.ts'
import { type BillingFileState, billingFileStates } from '../states.ts'

/** How a file's state is kept; what a step tells of the file is written with it. */
export const keptFiles = defineStateStore<
  BillingFileState,
  keyof typeof billingFileStates.steps,
  LockedEntity<BillingFileState>,
  Updateable<Schema['billing_file']> | undefined
>({
  machine: billingFileStates,
  subject: 'billing_file',
  async lock(tx, place, id) {
    const row = await lockRow(tx, 'billing_file', place, id)
    if (!row) throw notFound('This file was not found.')
    return { id, name: row.name, state: row.state, told: { file: row.name } }
  },
  write: (tx, { place, held, to, at, facts }) =>
    changeRow(tx, 'billing_file', place, held.id, {
      ...facts,
      state: to,
      settled_at: billingFileStates.states[to].kind === 'waiting' ? null : at,
    }),
})

/** What is done without anybody at a screen: by a job, a folder, or a program that called with a key. */
export const bySystem = (clock: Clock, name: string, requestId = ''): TransitionActor => ({
  as: 'system',
  actor: { session: null, requestId, kind: 'system' },
  clock,
  known: { id: null, name },
})
