import { logProcessorReport } from '../../../shared/processor-reports.ts'
import { call } from '../../../web/call.ts'
import type { PageId } from '../rules.ts'

/** Writes down that a report is opened. Where that fails the server's log says so, and nobody is kept from the report (specification 8.6). */
export const logAccess = (how: 'open_report' | 'export_report', processor: number, page: PageId): void =>
  void call(logProcessorReport, { report_type: how, processor_id: processor, page_id: page }).catch(() => {})
