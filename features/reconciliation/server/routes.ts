import type { Implemented } from '../../../server/call.ts'
import { eventCalls } from './list-events.ts'
import { tryEventCall } from './try-event.ts'

export const calls: Implemented[] = [...eventCalls, tryEventCall]
