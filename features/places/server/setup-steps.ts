import { hasRow } from '../../../server/db/rows.ts'
import { defineSetupStep } from '../../../server/setup.ts'

export const addressSteps = [
  defineSetupStep({
    ...{ key: 'addresses', title: 'Addresses', isRequired: false, area: 'places', path: '/municipality/manage/places' },
    choices: { typed: 'Residents type addresses freely' },
    status: async (tx, { company, choice }) => {
      if (choice !== null) return { state: 'done' }
      return { state: (await hasRow(tx, 'address', { company_id: company.id })) ? 'done' : 'to_do' }
    },
  }),
]
