import { defineSetupStep } from '../../../server/setup.ts'

export const addressSteps = [
  defineSetupStep({
    ...{ key: 'addresses', title: 'Addresses', isRequired: false, area: 'places', path: '/municipality/manage/places' },
    choices: { typed: 'Residents type addresses freely' },
    status: async (tx, { company, choice }) => {
      if (choice !== null) return { state: 'done' }
      const address = await tx
        .selectFrom('address')
        .select('id')
        .where('company_id', '=', company.id)
        .limit(1)
        .executeTakeFirst()
      return { state: address ? 'done' : 'to_do' }
    },
  }),
]
