import { defineSetupStep, statusOf } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const hydrantSteps = [
  defineSetupStep({
    ...{ key: 'hydrants', title: 'Hydrants', isRequired: false, area: 'hydrants' },
    ...{ modules: ['hydrants'], path: '/municipality/first-responder' },
    status: async (tx, { company }) => {
      const { ready } = await tx
        .selectFrom('hydrant')
        .select((e) => e.fn.countAll<number>().as('ready'))
        .where('company_id', '=', company.id)

        .executeTakeFirstOrThrow()
      return statusOf(Number(ready), 1, say`Import or record the hydrants.`)
    },
  }),
]
