import type { Feature } from '../../server/feature.ts'
import { conflictCalls } from './server/conflicts.ts'
import { fieldDayCall } from './server/day.ts'
import { conflictLists } from './server/lists.ts'
import { decideConflictCall } from './server/decide.ts'

export const field: Feature = {
  calls: [fieldDayCall, ...conflictLists, ...conflictCalls, decideConflictCall],
  demo: () => import('./demo.ts'),
}
