import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { CaseCalls, CaseSubject } from '../../shared/cases.ts'
import { call } from '../call.ts'
import { reload, useResponse } from '../query.ts'
import { currentSession } from '../session.ts'

/** Reports the last entry that the person has read, once for each new entry, while the page is visible. */
export function useMarkRead(lastId: number, notify: (upTo: number) => Promise<unknown>): void {
  const notified = useRef(-1)
  const read = useEffectEvent(() => {
    if (document.visibilityState !== 'visible' || notified.current >= lastId) return
    notified.current = lastId
    // If the report fails, the unread mark stays, and the next visit clears it.
    notify(lastId).catch(() => {})
  })
  useEffect(() => {
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [lastId])
}

/** Reports the last entry that staff have read, and reloads the unread counts. */
export const useMarkCaseRead = (
  of: CaseCalls,
  { companyId, subjectId, lastId }: CaseSubject & { lastId: number },
): void =>
  useMarkRead(lastId, async (upTo) => {
    await call(of.seen, { companyId, subjectId, upTo })
    await reload(of.unread)
  })

/** Key of a case in the maps of marks. Screens of a municipality leave the company out. */
export const caseKey = (id: number, company?: number): string => `${company ?? currentSession()?.companyId ?? ''}.${id}`

/** Returns the number of unread messages by `caseKey`, for cases that the caller handles or watches. */
export function useUnread(of: CaseCalls): ReadonlyMap<string, number> {
  const { data } = useResponse(of.unread, {})
  return useMemo(() => new Map(data?.cases.map(({ companyId, id, count }) => [caseKey(id, companyId), count])), [data])
}
