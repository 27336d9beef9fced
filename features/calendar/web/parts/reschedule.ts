import { call, messageOf } from '../../../../web/call.ts'
import { reload } from '../../../../web/query.ts'
import { toast } from '../../../../web/ui/Toasts.tsx'
import { rescheduleItem, scheduledItems } from '../../contract.ts'
import type { Item } from './item-status.tsx'

/** Moves an item to another day, and to another time if given. Shows the reason if the server refuses. */
export async function rescheduleTo(item: Item, day: string, time?: string): Promise<boolean> {
  try {
    const { message } = await call(rescheduleItem, { itemId: item.id, day, time, was: item.calendar_date })
    toast(message)
    return true
  } catch (problem) {
    toast(messageOf(problem), 'danger')
    return false
  } finally {
    await reload(scheduledItems)
  }
}
