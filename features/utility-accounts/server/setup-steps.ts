import { hasRow } from '../../../server/db/rows.ts'
import { defineSetupStep } from '../../../server/setup.ts'
import { daysBetween, formatDate } from '../../../shared/dates.ts'
import { say } from '../../../shared/messages.ts'

/** Age of the newest bill, in days, up to which the accounts are current. */
const MAX_AGE = 45

export const accountSteps = [
  defineSetupStep({
    ...{ key: 'accounts', title: 'Accounts with bills or balances', isRequired: true, area: 'billing_files' },
    ...{ modules: ['utilities'], path: '/municipality/manage/billing-files' },
    status: async (tx, { company, today }) => {
      const { bill, balance } = await tx
        .selectNoFrom((e) => [
          e
            .selectFrom('utility_bill')
            .select((b) => b.fn.max('bill_date').as('day'))
            .where('company_id', '=', company.id)
            .as('bill'),
          e
            .selectFrom('utility_account')
            .select((b) => b.fn.max('balance_on').as('day'))
            .where('company_id', '=', company.id)
            .as('balance'),
        ])
        .executeTakeFirstOrThrow()
      const newest = [bill ?? '', balance ?? ''].toSorted().at(-1) ?? ''
      if (newest !== '')
        return daysBetween(newest, today) <= MAX_AGE
          ? { state: 'done' }
          : { state: 'started', detail: say`The newest bill or balance is of ${formatDate(newest)}.` }
      return (await hasRow(tx, 'utility_account', { company_id: company.id }))
        ? { state: 'started', detail: say`The accounts have no bills yet.` }
        : { state: 'to_do', query: 'send=1' }
    },
  }),
]
