import type { Feature } from '../../server/feature.ts'
import { plannerCall } from './server/planner.ts'

export const rentalPlanner: Feature = { calls: [plannerCall] }
