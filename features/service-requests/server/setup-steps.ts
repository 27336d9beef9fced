import { defineSetupStep, statusOf } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

const NEEDED = 5

export const requestSteps = [
  defineSetupStep({
    ...{ key: 'categories', title: 'Request categories', isRequired: true, area: 'requests' },
    ...{ modules: ['requests'], path: '/municipality/manage/customer-communication/categories' },
    status: async (tx, { company }) => {
      const { ready } = await tx
        .selectFrom('request_category')
        .select((e) => e.fn.countAll<number>().as('ready'))
        .where('company_id', '=', company.id)
        .where('is_active', '=', 1)
        .where('department_id', 'is not', null)
        .where('target_days', '>', 0)
        .executeTakeFirstOrThrow()
      return statusOf(
        Number(ready),
        NEEDED,
        say`${Number(ready)} of ${NEEDED} categories are active with a department and target days.`,
      )
    },
  }),
]
