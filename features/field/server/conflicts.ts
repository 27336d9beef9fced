import type { Selectable } from 'kysely'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { attach, previewOf, receiveFile, uploadResponse } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { callerName, implement, signedIn } from '../../../server/call.ts'
import type { Schema } from '../../../server/db/schema.ts'
import { malformed, notFound } from '../../../server/errors.ts'
import { fieldParts } from '../../../server/field-parts.ts'
import {
  recordCreation,
  type LockedEntity,
  defineStateStore,
  type Scope,
  type Transition,
  actorOf,
} from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { conflictPhotos, saveConflict, keepConflictPhoto, returnConflict } from '../contract.ts'
import { conflictStates } from '../states.ts'
import { rowFinderById } from '../../../server/db/rows.ts'

export type Conflict = Selectable<Schema['field_conflict']>
type Status = Conflict['status']

const unknownConflict = () => notFound('This sync conflict was not found.')
const conflicts = rowFinderById('field_conflict', unknownConflict)

interface LockedConflict extends LockedEntity<Status> {
  conflict: Conflict
}

export const conflictStateStore = defineStateStore({
  machine: conflictStates,
  subject: 'field_conflict',
  lock: async (tx, scope, id): Promise<LockedConflict> => {
    const conflict = await conflicts.lock(tx, scope, id)
    const { status, subject_name, label } = conflict
    const noticeData = {
      subject: subject_name,
      label,
      by: conflict.person_name,
      fieldConflicts: conflict.edit_conflicts,
    }
    return { id, state: status, name: say`“${label}” for ${subject_name}`, details: noticeData, conflict }
  },
  write: (
    tx,
    {
      scope,
      locked,
      to,
      at,
      patch,
    }: Transition<Status, string, LockedConflict, { by: string; edit_conflicts: Conflict['edit_conflicts'] }>,
  ) =>
    tx
      .updateTable('field_conflict')
      .set({
        status: to,
        finished_at: at,
        finished_by: patch?.by ?? '',
        edit_conflicts: JSON.stringify(patch?.edit_conflicts ?? []),
      })
      .where('company_id', '=', scope)
      .where('id', '=', locked.id)
      .execute(),
})

const MAX_LENGTH = 100_000

/** Saves an action from a phone once, even if the phone sends it several times. */
const storeCall = implement(saveConflict, (call) => {
  const { company, context, body } = call
  const part = fieldParts.get(body.part)
  const paths = part ? [...part.calls.map(({ endpoint }) => endpoint.path), ...Object.keys(part.photos ?? {})] : []
  if (!paths.includes(body.call)) throw malformed('This action is not available offline.')
  if (JSON.stringify(body).length > MAX_LENGTH) throw malformed('This change is too large to save.')
  const { personId } = signedIn(call)
  const message = say`“${body.label}” was saved as a sync conflict. Staff will decide which version to keep.`
  return call.once(async (tx) => {
    const made = await tx
      .insertInto('field_conflict')
      .values({
        company_id: company.id,
        action_id: body.id,
        part: body.part,
        subject_id: body.subjectId,
        subject_name: body.subjectName,
        label: body.label,
        call: body.call,
        body: JSON.stringify(body.body),
        refusal: body.refusal,
        edit_conflicts: JSON.stringify(body.fieldConflicts),
        made_at: new Date(body.madeAt),
        stored_at: context.clock.now(),
        person_id: personId,
        person_name: callerName(call),
        status: 'open',
      })
      .onConflict((on) => on.columns(['company_id', 'action_id']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return { success: true as const, message, conflictId: (await findByAction(tx, company.id, body.id)).id }
    const detail = { subject: body.subjectName, label: body.label, refusal: body.refusal, madeAt: body.madeAt }
    await recordCreation(tx, conflictStateStore, {
      scope: company.id,
      id: made.id,
      event: 'record',
      actor: actorOf(call),
      detail,
    })
    return { success: true as const, message, conflictId: made.id }
  })
})

const findByAction = (tx: Tx, company: Scope, id: string) =>
  tx
    .selectFrom('field_conflict')
    .select(['id', 'person_id'])
    .where('company_id', '=', company)
    .where('action_id', '=', id)
    .executeTakeFirstOrThrow(unknownConflict)

const storePhotoCall = implement(keepConflictPhoto, (call) =>
  receiveFile(call, conflictPhotos, call.company.id, (received) =>
    call.once(async (tx) => {
      const conflict = await findByAction(tx, call.company.id, call.body.id)
      if (conflict.person_id !== signedIn(call).personId) throw unknownConflict()
      const { id } = await attach(tx, received, conflict.id)
      return uploadResponse(id, received)
    }),
  ),
)

const showCall = implement(returnConflict, (call) =>
  call.reading(async (tx) => {
    const { id, ...row } = await conflicts.find(tx, call.company.id, call.body.conflictId)
    const photo = await tx
      .selectFrom('attachment')
      .select(['state', 'preview'])
      .where('company_id', '=', call.company.id)
      .where('subject_kind', '=', conflictPhotos.subject)
      .where('subject_id', '=', id)
      .executeTakeFirst()
    const canDecide = row.status === 'open' && may(signedIn(call).privileges, 'field_work', 'update')
    return {
      id,
      part: row.part,
      subject: row.subject_name,
      label: row.label,
      refusal: row.refusal,
      fieldConflicts: row.edit_conflicts,
      preview: photo ? previewOf(photo) : null,
      by: row.person_name,
      madeAt: row.made_at.toISOString(),
      storedAt: row.stored_at.toISOString(),
      status: row.status,
      decidedAt: row.finished_at?.toISOString() ?? '',
      decidedBy: row.finished_by,
      can: { decide: canDecide },
    }
  }),
)

export const conflictCalls = [storeCall, storePhotoCall, ...partCalls(conflictPhotos), showCall]
