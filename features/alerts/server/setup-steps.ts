import { hasRow } from '../../../server/db/rows.ts'
import { defineSetupStep } from '../../../server/setup.ts'
import { say } from '../../../shared/messages.ts'

export const alertSteps = [
  defineSetupStep({
    ...{ key: 'alerts', title: 'Alerts', isRequired: false, area: 'alerts' },
    ...{ modules: ['alerts'], path: '/municipality/manage/alerts' },
    status: async (tx, { company, choice }) => {
      if (!(await hasRow(tx, 'alert_service', { company_id: company.id, is_active: true })))
        return { state: 'to_do', detail: say`Name the services that residents choose.` }
      // The call that sends a test alert stores this choice.
      return choice === TESTED ? { state: 'done' } : { state: 'started', detail: say`Send yourself a test alert.` }
    },
  }),
]

export const TESTED = 'tested'
