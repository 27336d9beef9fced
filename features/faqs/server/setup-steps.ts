import { defineSetupStep, statusOf } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

const NEEDED = 10

export const faqSteps = [
  defineSetupStep({
    ...{ key: 'faqs', title: 'Frequently asked questions', isRequired: false, area: 'faqs' },
    ...{ modules: ['faqs'], path: '/municipality/manage/faqs' },
    status: async (tx, { company }) => {
      const { ready } = await tx
        .selectFrom('faq')
        .select((e) => e.fn.countAll<number>().as('ready'))
        .where('company_id', '=', company.id)
        .where('status', '=', 'published')
        .executeTakeFirstOrThrow()
      return statusOf(Number(ready), NEEDED, say`${Number(ready)} of ${NEEDED} questions are published.`)
    },
  }),
]
