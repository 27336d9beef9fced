import { defineStateStore, personOf } from '../../../server/states.ts'
import type { Tx } from '../../../server/tenancy.ts'
import { formStates } from '../states.ts'
import { statusOf, unknownForm } from './list-forms.ts'

/**
 * Locks a form against other changes until the transaction ends.
 * @throws 404 if the form does not exist
 */
export async function holdForm(tx: Tx, id: number) {
  const form = await tx
    .selectFrom('form_template')
    .select(['id', 'title', 'description', 'category', 'is_active', 'current_version', 'first_assigned_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!form) throw unknownForm()
  return form
}

export const forms = defineStateStore({
  machine: formStates,
  subject: 'form',
  lock: async (tx, _scope, id) => {
    const form = await holdForm(tx, id)
    return { id, state: statusOf(form), name: form.title, details: { title: form.title } }
  },
  write: (tx, { locked, to, at, actor }) =>
    tx
      .updateTable('form_template')
      .set({ is_active: to === 'active' ? 1 : 0, changed_at: at, changed_by: personOf(actor) })
      .where('id', '=', locked.id)
      .execute(),
})
