import { locationColumns } from '../../../server/places/stored-location.ts'
import { transition } from '../../../server/states.ts'
import { registerMoveHandler } from '../../../server/move-handlers.ts'
import { say } from '../../../shared/messages.ts'
import { HOUSEHOLD } from '../rules.ts'
import { bySystem, saveSnapshot, registrationStateStore } from './registrations.ts'

/**
 * Updates the household registration after its owner moves. The registration gets the new address and keeps its number.
 * If the owner left the municipality, the registration ends. A snapshot preserves the previous content.
 */
registerMoveHandler(async (tx, { clock }, company, { person, left, to, by }) => {
  const row = await tx
    .selectFrom('registration')
    .selectAll()
    .where('company_id', '=', company)
    .where('person_id', '=', person)
    .where('kind', '=', HOUSEHOLD)
    .where('status', 'in', ['pending', 'more_info_needed', 'registered', 'due', 'lapsed'])
    .where((of) =>
      of.or([
        of('location', '=', left.text),
        ...(left.addressId === null ? [] : [of('address_id', '=', left.addressId)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return null
  const at = clock.now()
  await saveSnapshot(tx, row, { at, before: 'change', by })
  if (to)
    await tx
      .updateTable('registration')
      .set({ ...locationColumns(to), changed_at: at })
      .where('company_id', '=', company)
      .where('id', '=', row.id)
      .execute()
  else
    await transition(tx, registrationStateStore, {
      scope: company,
      id: row.id,
      event: 'leave',
      actor: bySystem(clock),
      detail: { by },
      deps: null,
    })
  return to
    ? say`Your household registration ${row.number} now has the new address.`
    : say`Your household registration ${row.number} has ended.`
})
