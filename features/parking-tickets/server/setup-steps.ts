import { defineSetupStep, statusOf } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

const NEEDED = 5

export const parkingSteps = [
  defineSetupStep({
    ...{ key: 'violations', title: 'Violation codes', isRequired: false, area: 'parking' },
    ...{ modules: ['parking'], path: '/municipality/manage/parking-tickets' },
    status: async (tx, { company }) => {
      const { ready } = await tx
        .selectFrom('parking_violation')
        .select((e) => e.fn.countAll<number>().as('ready'))
        .where('company_id', '=', company.id)
        .where('is_active', '=', 1)
        .executeTakeFirstOrThrow()
      return statusOf(Number(ready), NEEDED, say`${Number(ready)} of ${NEEDED} codes are active.`)
    },
  }),
]
