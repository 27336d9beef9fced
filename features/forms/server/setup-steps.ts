import { defineSetupStep, statusOf } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const formSteps = [
  defineSetupStep({
    ...{ key: 'forms', title: 'Forms', isRequired: true, area: 'forms' },
    ...{ modules: ['forms'], path: '/municipality/manage/manage-forms-and-docs' },
    status: async (tx, { company }) => {
      const { ready } = await tx
        .selectFrom('form_type')
        .select((e) => e.fn.countAll<number>().as('ready'))
        .where('company_id', '=', company.id)
        .where('status', '=', 'published')
        .executeTakeFirstOrThrow()
      return statusOf(Number(ready), 1, say`Publish a form.`)
    },
  }),
]
