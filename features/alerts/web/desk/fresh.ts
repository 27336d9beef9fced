import { reload } from '../../../../web/query.ts'
import { alertEditor, countAudience, showAlert } from '../../contract-staff.ts'
import { alerts, deliveries } from '../../list.ts'

export const renewAlerts = () =>
  Promise.all([alerts.call, deliveries.call, showAlert, countAudience].map((endpoint) => reload(endpoint)))

export const renewEditor = () => Promise.all([alertEditor, countAudience].map((endpoint) => reload(endpoint)))
