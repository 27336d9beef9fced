import { call, sentenceOf } from '../../../web/call.ts'
import { reload } from '../../../web/query.ts'
import { toast } from '../../../web/ui/Toasts.tsx'
import { rescheduleItem, scheduledItems } from '../contract.ts'
import type { Item } from './item-status.tsx'

/** Puts an item on another day, at another time where one is said. Why that can't be is told. */
export async function rescheduleTo(item: Item, day: string, time?: string): Promise<boolean> {
  try {
    const { message } = await call(rescheduleItem, { itemId: item.id, day, time, was: item.calendar_date })
    toast(message)
    return true
  } catch (problem) {
    toast(sentenceOf(problem), 'danger')
    return false
  } finally {
    await reload(scheduledItems)
  }
}
