import { useEffect, useRef } from 'react'
import { useLive } from '../../../../web/live.ts'
import { reload } from '../../../../web/query.ts'
import { supportCase, supportRequest } from '../../contract.ts'
import { requestList } from '../../list.ts'

/** One step makes several events at once; the lists are asked once for all of them. */
const GATHER_MS = 400

/** What is on show is asked anew when requests come or change, also by somebody else's hand. */
export function useFreshRequests(): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const askAnew = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void reloadRequests(), GATHER_MS)
  }
  useLive(supportCase.events, askAnew, askAnew)
}

export const reloadRequests = (): Promise<unknown> =>
  Promise.all([requestList.call, supportRequest, supportCase.assignees, supportCase.unread].map(reload))

const relative = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })
const HOUR = 3_600_000

/** How old something is: `3 hours ago`, `yesterday`, `12 days ago`. */
export function ageOf(at: string): string {
  const hours = Math.floor((Date.now() - Date.parse(at)) / HOUR)
  return hours < 24 ? relative.format(-hours, 'hour') : relative.format(-Math.floor(hours / 24), 'day')
}
