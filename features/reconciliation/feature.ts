import type { Feature } from '../../server/feature.ts'
import { eventCalls } from './server/list-events.ts'
import { tryEventCall } from './server/try-event.ts'

export const reconciliation: Feature = {
  calls: [...eventCalls, tryEventCall],
}
