import { defineSetupStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'
import { findProvider } from '../../payments/api.ts'
import { providerName } from './rows.ts'

export const onboardingSteps = [
  defineSetupStep({
    ...{ key: 'provider', title: 'Payment provider', isRequired: true, area: 'settings' },
    modules: ['utilities', 'bills', 'parking', 'rentals'],
    choices: { test: 'Run the test payment' },
    ...{
      path: '/municipality/processor/onboarding',
      platformPath: '/admin/{id}/company/information?section=processors',
    },
    status: async (tx, { company, config }) => {
      const row = await tx
        .selectFrom('payment_settings as s')
        .innerJoin('processor as p', 'p.id', 's.processor_id')
        .leftJoin('provider_onboarding as o', (join) =>
          join.onRef('o.company_id', '=', 's.company_id').onRef('o.provider', '=', 'p.provider'),
        )
        .select(['p.provider', 'o.may_charge', 'o.owed_by', 'o.test_passed', 'o.status'])
        .where('s.company_id', '=', company.id)
        .executeTakeFirstOrThrow()
      const offersChoices = false
      const provider = findProvider(config, row.provider)
      // Without a row, the onboarding has not started yet. The test payment starts it.
      const mayCharge = row.may_charge ?? provider?.onboarding?.needsConsent !== true
      // A provider that takes real payments has no test payment.
      if (mayCharge && !(provider?.test && provider.trial)) return { state: 'done' }
      if (mayCharge && row.test_passed === true) return { state: 'done' }
      if (mayCharge)
        return {
          state: row.may_charge === null ? 'to_do' : 'started',
          detail: say`The test payment is refunded immediately.`,
        }
      if (row.owed_by === 'provider')
        return { state: 'waiting', detail: say`${providerName(row.provider)} checks the documents.`, offersChoices }
      if (row.owed_by === 'platform')
        return { state: 'waiting', detail: say`Mainstreet checks the documents.`, offersChoices }
      return { state: row.status === 'not_started' ? 'to_do' : 'started', offersChoices }
    },
  }),
]
