import { defineSetupStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'
import { providerName } from './rows.ts'

export const onboardingSteps = [
  defineSetupStep({
    ...{ key: 'provider', title: 'Payment provider', isRequired: true, area: 'settings' },
    modules: ['utilities', 'bills', 'parking', 'rentals'],
    ...{
      path: '/municipality/processor/onboarding',
      platformPath: '/admin/{id}/company/information?section=processors',
    },
    status: async (tx, { company }) => {
      const row = await tx
        .selectFrom('payment_settings as s')
        .innerJoin('processor as p', 'p.id', 's.processor_id')
        .leftJoin('provider_onboarding as o', (join) =>
          join.onRef('o.company_id', '=', 's.company_id').onRef('o.provider', '=', 'p.provider'),
        )
        .select(['p.provider', 'o.may_charge', 'o.owed_by', 'o.test_passed', 'o.status'])
        .where('s.company_id', '=', company.id)
        .executeTakeFirstOrThrow()
      // A provider without an onboarding accepts payments immediately.
      if (row.may_charge === null) return { state: 'done' }
      if (row.may_charge && row.test_passed === true) return { state: 'done' }
      if (row.may_charge) return { state: 'started', detail: say`Run the test payment.` }
      if (row.owed_by === 'provider')
        return { state: 'waiting', detail: say`${providerName(row.provider)} checks the documents.` }
      if (row.owed_by === 'platform') return { state: 'waiting', detail: say`Mainstreet checks the documents.` }
      return { state: row.status === 'not_started' ? 'to_do' : 'started' }
    },
  }),
]
