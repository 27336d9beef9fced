import { reload } from '../../../web/query.ts'
import { myRegistration, myRegistrations, showRegistration } from '../contract.ts'
import { registrations } from '../list.ts'

export const reloadOwn = (): Promise<unknown> => Promise.all([reload(myRegistrations), reload(myRegistration)])
export const reloadReport = (): Promise<unknown> => Promise.all([reload(registrations.call), reload(showRegistration)])
