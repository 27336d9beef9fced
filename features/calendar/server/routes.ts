import type { Implemented } from '../../../server/call.ts'
import { listEventTypes, listScheduledItems } from './list-scheduled-items.ts'

export const calls: Implemented[] = [listScheduledItems, listEventTypes]
