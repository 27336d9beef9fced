import type { Feature } from '../../server/feature.ts'
import { feeDaysCall, feeReportCalls } from './server/fee-report.ts'
import { profitMonthsCall, profitReportCalls } from './server/profit-report.ts'

export const moneyReports: Feature = {
  calls: [...feeReportCalls, feeDaysCall, ...profitReportCalls, profitMonthsCall],
}
