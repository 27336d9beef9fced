import type { Feature } from '../../server/feature.ts'
import { rentalDayCall, useLists } from './server/reports.ts'

export const rentalReport: Feature = { calls: [...useLists, rentalDayCall] }
