import type { Feature } from '../../server/feature.ts'
import { listEventTypes, listScheduledItems } from './server/list-scheduled-items.ts'
import { calendarEventsCall, moveItemCall } from './server/move-item.ts'
import { masterCalendarCall, masterCalendarCsvCall, masterDayLists } from './server/master-calendar.ts'

export const calendar: Feature = {
  calls: [
    ...[listScheduledItems, listEventTypes, moveItemCall, calendarEventsCall],
    ...[masterCalendarCall, masterCalendarCsvCall],
    ...masterDayLists,
  ],
}
