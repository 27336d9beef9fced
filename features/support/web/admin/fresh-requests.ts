import { reloadCases } from '../../../../web/cases/fresh.ts'
import { supportCase, supportRequest } from '../../contract.ts'
import { requestList } from '../../list.ts'

/** Calls that load requests. After a change, their data is loaded again. */
export const requestCalls = [requestList.call, supportRequest]
export const reloadRequests = (): Promise<unknown> => reloadCases(supportCase, requestCalls)

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const HOUR = 3_600_000

/** Formats an age: `3 hours ago`, `yesterday`, `12 days ago`. */
export function ageOf(at: string): string {
  const hours = Math.floor((Date.now() - Date.parse(at)) / HOUR)
  return hours < 24 ? relative.format(-hours, 'hour') : relative.format(-Math.floor(hours / 24), 'day')
}
