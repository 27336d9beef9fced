import { reload } from '../../../../web/query.ts'
import { alertEditor, countAudience, showAlert } from '../../contract-staff.ts'
import { alerts, deliveries } from '../../list.ts'

export const refreshAlerts = () =>
  Promise.all([alerts.call, deliveries.call, showAlert, countAudience].map((endpoint) => reload(endpoint)))

export const refreshEditor = () => Promise.all([alertEditor, countAudience].map((endpoint) => reload(endpoint)))
