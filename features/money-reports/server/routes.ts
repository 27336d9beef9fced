import type { Implemented } from '../../../server/call.ts'
import { feeDaysCall, feeReportCall, feeReportCsvCall } from './fee-report.ts'
import { profitMonthsCall, profitReportCall, profitReportCsvCall } from './profit-report.ts'

export const calls: Implemented[] = [
  ...[feeReportCall, feeReportCsvCall, feeDaysCall],
  ...[profitReportCall, profitReportCsvCall, profitMonthsCall],
]
