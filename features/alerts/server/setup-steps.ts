import { defineSetupStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const alertSteps = [
  defineSetupStep({
    ...{ key: 'alerts', title: 'Alerts', isRequired: false, area: 'alerts' },
    ...{ modules: ['alerts'], path: '/municipality/manage/alerts' },
    status: async (tx, { company, choice }) => {
      const service = await tx
        .selectFrom('alert_service')
        .select('id')
        .where('company_id', '=', company.id)
        .where('is_active', '=', true)
        .limit(1)
        .executeTakeFirst()
      if (!service) return { state: 'to_do', detail: say`Name the services that residents choose.` }
      // The call that sends a test alert stores this choice.
      return choice === TESTED ? { state: 'done' } : { state: 'started', detail: say`Send yourself a test alert.` }
    },
  }),
]

export const TESTED = 'tested'
