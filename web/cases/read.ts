import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { CaseCalls, CaseSubject } from '../../shared/cases.ts'
import { call } from '../call.ts'
import { reload, useAnswer } from '../query.ts'

/** Says up to where the conversation on show was read, once for each entry that comes, while somebody can see it. */
export function useRead(lastId: number, tell: (upTo: number) => Promise<unknown>): void {
  const told = useRef(-1)
  const read = useEffectEvent(() => {
    if (document.visibilityState !== 'visible' || told.current >= lastId) return
    told.current = lastId
    // Where it fails, the mark stays: the next look clears it.
    tell(lastId).catch(() => {})
  })
  useEffect(() => {
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [lastId])
}

/** The same for staff, whose lists show what is unread. */
export const useReadCase = (of: CaseCalls, { companyId, subjectId, lastId }: CaseSubject & { lastId: number }): void =>
  useRead(lastId, async (upTo) => {
    await call(of.seen, { companyId, subjectId, upTo })
    await reload(of.unread)
  })

/** How many messages the caller has not read, by `companyId.id`, of what they work on or watch. */
export function useUnread(of: CaseCalls): ReadonlyMap<string, number> {
  const { data } = useAnswer(of.unread, {})
  return useMemo(() => new Map(data?.cases.map(({ companyId, id, count }) => [`${companyId}.${id}`, count])), [data])
}
