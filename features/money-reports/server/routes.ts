import type { Implemented } from '../../../server/call.ts'
import { feeDaysCall, feeReportCalls } from './fee-report.ts'
import { profitMonthsCall, profitReportCalls } from './profit-report.ts'

export const calls: Implemented[] = [...feeReportCalls, feeDaysCall, ...profitReportCalls, profitMonthsCall]
