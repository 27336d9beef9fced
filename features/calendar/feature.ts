import type { Feature } from '../../server/feature.ts'
import { calendarFeedsCall, endCalendarFeedCall, makeCalendarFeedCall, mountCalendarFeeds } from './server/feeds.ts'
import { staffAtCall } from './server/staff-at.ts'
import { listEventTypes, listScheduledItems } from './server/list-scheduled-items.ts'
import { calendarEventsCall, transitionItemCall, rescheduleItemCall } from './server/move-item.ts'
import { masterCalendarCall, masterCalendarCsvCall, masterDayLists } from './server/master-calendar.ts'

export const calendar: Feature = {
  calls: [
    ...[listScheduledItems, listEventTypes, transitionItemCall, rescheduleItemCall, calendarEventsCall],
    ...[staffAtCall, calendarFeedsCall, makeCalendarFeedCall, endCalendarFeedCall],
    ...[masterCalendarCall, masterCalendarCsvCall],
    ...masterDayLists,
  ],
  mount: [mountCalendarFeeds],
}
