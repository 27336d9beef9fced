import type { Implemented } from '../../../server/call.ts'
import { listEvents } from './list-events.ts'
import { tryEventCall } from './try-event.ts'

export const calls: Implemented[] = [listEvents, tryEventCall]
