import { logProcessorReport } from '../../../shared/processor-reports.ts'
import { call } from '../../../web/call.ts'
import type { PageId } from '../rules.ts'

/**
 * Records an access to a report. If the call fails, the server logs the error and the report still opens (spec 8.6).
 */
export const logAccess = (how: 'open_report' | 'export_report', processor: number, page: PageId): void =>
  void call(logProcessorReport, { report_type: how, processor_id: processor, page_id: page }).catch(() => {})
