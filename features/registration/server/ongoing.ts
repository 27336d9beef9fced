import type { OngoingItemSource } from '../../../server/ongoing-items.ts'
import { MAX_PER_KIND } from '../../../shared/ongoing-items.ts'
import { say, translated } from '../../../shared/messages.ts'
import { type Kind, kinds, OWN_PATH } from '../rules.ts'
import { registrationStates } from '../states.ts'

/** Registrations that wait for staff or for the owner. */
export const ongoingRegistrations: OngoingItemSource = {
  kind: 'registration',
  async open(tx, { company, person }) {
    const rows = await tx
      .selectFrom('registration')
      .select(['id', 'number', 'name', 'status', 'changed_at'])
      .where('company_id', '=', company.id)
      .where('person_id', '=', person)
      .where('status', 'in', ['pending', 'more_info_needed', 'due', 'lapsed'])
      .orderBy('id', 'desc')
      .limit(MAX_PER_KIND)
      .execute()
    return rows.map(({ id, number, name, status, changed_at }) => ({
      ...{ id, number, title: name, at: changed_at.toISOString(), state: registrationStates.states[status] },
      path: `${OWN_PATH}?registration=${id}`,
    }))
  },
}

/** Unsent drafts of registrations, at most one for each kind. */
export const startedRegistrations: OngoingItemSource = {
  kind: 'registration_draft',
  async open(tx, { company, person }) {
    const drafts = await tx
      .selectFrom('field_draft as d')
      .innerJoin('registration_kind as k', (on) =>
        on.onRef('k.company_id', '=', 'd.company_id').onRef('k.field_set_id', '=', 'd.field_set_id'),
      )
      .select(['k.kind', 'd.saved_at'])
      .where('d.company_id', '=', company.id)
      .where('d.owner', '=', `person ${person}`)
      .where('d.subject', '=', '')
      .execute()
    return drafts.map(({ kind, saved_at }) => ({
      id: kind,
      title: say`Registration: ${translated(kinds[kind as Kind])}`,
      number: '',
      at: saved_at.toISOString(),
      state: { label: say`Draft`, kind: 'attention' as const },
      path: `${OWN_PATH}?new=${kind}`,
    }))
  },
}
