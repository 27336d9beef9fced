import { defineSetupStep, statusOf } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const rentalSteps = [
  defineSetupStep({
    ...{ key: 'resources', title: 'Resources for rent', isRequired: false, area: 'rentals' },
    ...{ modules: ['rentals'], path: '/municipality/manage/manage-resource-rentals' },
    status: async (tx, { company }) => {
      const { ready } = await tx
        .selectFrom('rental_resource')
        .select((e) => e.fn.countAll<number>().as('ready'))
        .where('company_id', '=', company.id)
        .where('status', '=', 'open')
        .executeTakeFirstOrThrow()
      return statusOf(Number(ready), 1, say`Open a resource for reservations.`)
    },
  }),
]
