import type { Implemented } from '../../../server/call.ts'
import { listEventTypes, listScheduledItems } from './list-scheduled-items.ts'
import { calendarEventsCall, moveItemCall } from './move-item.ts'
import { masterCalendarCall, masterCalendarCsvCall, masterDayLists } from './master-calendar.ts'

export const calls: Implemented[] = [
  ...[listScheduledItems, listEventTypes, moveItemCall, calendarEventsCall],
  ...[masterCalendarCall, masterCalendarCsvCall],
  ...masterDayLists,
]
