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
      const newest = await tx
        .selectFrom('utility_bill')
        .select('bill_date')
        .where('company_id', '=', company.id)
        .orderBy('bill_date', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (newest)
        return daysBetween(newest.bill_date, today) <= MAX_AGE
          ? { state: 'done' }
          : { state: 'started', detail: say`The newest bill is of ${formatDate(newest.bill_date)}.` }
      const account = await tx
        .selectFrom('utility_account')
        .select('id')
        .where('company_id', '=', company.id)
        .limit(1)
        .executeTakeFirst()
      return account ? { state: 'started', detail: say`The accounts have no bills yet.` } : { state: 'to_do' }
    },
  }),
]
