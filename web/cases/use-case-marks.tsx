import type { CaseCalls } from '../../shared/cases.ts'
import { usePresent } from './presence.ts'
import { PresenceMarks } from './PresenceMarks.tsx'
import { caseKey, useUnread } from './read.ts'
import { UnreadMark } from './UnreadMark.tsx'

/**
 * Returns the marks of a case in a list: its number of unread messages, and the other staff who have it open. Lists of
 * the platform name the company.
 */
export function useCaseMarks(of: CaseCalls) {
  const unread = useUnread(of)
  const present = usePresent(of)
  return {
    unread: (id: number, company?: number) => <UnreadMark count={unread.get(caseKey(id, company))} />,
    present: (id: number, company?: number) => <PresenceMarks people={present.get(caseKey(id, company))} />,
  }
}
