import { defineSetupStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'
import { roles } from '../../../shared/privileges.ts'
import { INVITE_ADMINISTRATOR } from '../rules.ts'

export const staffSteps = [
  defineSetupStep({
    ...{ key: 'administrator', title: 'Administrator with a password', isRequired: true, area: 'staff' },
    ...{ path: '/municipality/manage/manage-staff', platformPath: '/admin/{id}/company/staff' },
    status: async (tx, { company }) => {
      const person = await tx
        .selectFrom('person')
        .select('password_hash')
        .where('company_id', '=', company.id)
        .where('role_id', '=', roles.municipalityAdmin)
        .where('is_active', '=', 1)
        .orderBy((e) => e('password_hash', 'is', null))
        .executeTakeFirst()
      if (!person) return { state: 'to_do', query: INVITE_ADMINISTRATOR }
      return person.password_hash === null
        ? { state: 'waiting', detail: say`The administrator has not set a password yet.` }
        : { state: 'done' }
    },
  }),
  defineSetupStep({
    ...{ key: 'staff', title: 'Departments and staff', isRequired: false, area: 'staff' },
    ...{ path: '/municipality/manage/manage-staff', platformPath: '/admin/{id}/company/staff' },
    choices: { alone: 'I am the only person' },
    status: async (tx, { company, choice }) => {
      if (choice !== null) return { state: 'done' }
      const { active, entered } = await tx
        .selectFrom('person')
        .select((e) => [e.fn.countAll<number>().as('active'), e.fn.count<number>('signed_in_at').as('entered')])
        .where('company_id', '=', company.id)
        .where('role_id', '>=', roles.municipalityStaff)
        .where('is_active', '=', 1)
        .executeTakeFirstOrThrow()
      if (Number(entered) >= 2) return { state: 'done' }
      return Number(active) >= 2
        ? { state: 'waiting', detail: say`${Number(entered)} of 2 people have signed in.` }
        : { state: 'to_do' }
    },
  }),
]
