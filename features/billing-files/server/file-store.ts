import type { Updateable } from 'kysely'
import { changeRow, lockRow } from '../../../server/db/rows.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { notFound } from '../../../server/errors.ts'
import type { Clock } from '../../../server/clock.ts'
import { createImport, ImportedRows } from '../../../server/imported-rows.ts'
import { defineStateStore, type LockedEntity, type TransitionActor } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { billUndoRules, type Loading } from '../../utility-accounts/api.ts'
import { type BillingFileState, billingFileStates } from '../states.ts'

/** State store of billing files. A transition also saves its column values. */
export const fileStateStore = defineStateStore<
  BillingFileState,
  keyof typeof billingFileStates.steps,
  LockedEntity<BillingFileState>,
  Updateable<Schema['billing_file']> | undefined
>({
  machine: billingFileStates,
  subject: 'billing_file',
  async lock(tx, scope, id) {
    const row = await lockRow(tx, 'billing_file', scope, id)
    if (!row) throw notFound('This file was not found.')
    return { id, name: row.name, state: row.state, details: { file: row.name } }
  },
  write: (tx, { scope, locked, to, at, patch }) =>
    changeRow(tx, 'billing_file', scope, locked.id, {
      ...patch,
      state: to,
      finished_at: billingFileStates.states[to].kind === 'waiting' ? null : at,
    }),
})

/** Returns the actor of automatic work: a job, a folder, or a program with an API key. */
export const bySystem = (clock: Clock, name: string, requestId = ''): TransitionActor => ({
  as: 'system',
  caller: { session: null, requestId, kind: 'system' },
  clock,
  person: { id: null, name },
})

/** Creates the record of the import of a file, or finds it after an interruption. Returns how to start its changes. */
export async function changesOf(
  { inCompany, clock }: Loading,
  company: CompanyId,
  file: number,
): Promise<(tx: Tx) => Promise<ImportedRows>> {
  const { id, source } = await inCompany(company, async (tx) => {
    const row = await lockRow(tx, 'billing_file', company, file)
    if (!row) throw notFound('This file was not found.')
    const of = { company, kind: 'bills', file: row.name, by: row.sender, now: clock.now() } as const
    if (row.import_id !== null) return { id: row.import_id, source: of }
    const made = await createImport(tx, of, billUndoRules)
    await changeRow(tx, 'billing_file', company, file, { import_id: made })
    return { id: made, source: of }
  })
  return (tx) => ImportedRows.start(tx, source, billUndoRules, id)
}
