import { pendingWork } from '../../shared/pending-work.ts'
import type { MenuPart } from '../office/SideMenu.tsx'
import { useResponse } from '../query.ts'
import { may, useSession } from '../session.ts'

/** Menu entries with a count, and the list of the records that await staff there. */
const COUNTED: Readonly<Record<string, string>> = {
  '/municipality/manage/customer-communication': '/municipality/manage/customer-communication',
  '/municipality/manage/manage-forms-and-docs': '/municipality/reports/forms-and-docs',
  '/municipality/reports/move-in-out': '/municipality/reports/move-in-out',
  '/municipality/reports/exceptions': '/municipality/reports/exceptions',
}
const REFRESH_MS = 60_000

/** Adds the numbers of records that await staff to the menu. */
export function useWaiting(menu: readonly MenuPart[]): readonly MenuPart[] {
  const enabled = useSession() !== null && may('dashboard', 'view')
  const { data } = useResponse(pendingWork, {}, { enabled, refetchInterval: REFRESH_MS })
  if (!data) return menu
  const counts = new Map(data.awaitingStaff.map(({ to, count }) => [to.replace(/\?.*/, ''), count]))
  return menu.map((part) => ({
    ...part,
    entries: part.entries.map((entry) => {
      const waiting = counts.get(COUNTED[entry.path] ?? '') ?? 0
      return waiting > 0 ? { ...entry, waiting } : entry
    }),
  }))
}
