import { logProcessorReport, NOT_ANY } from '../../shared/processor-reports.ts'
import { call } from '../call.ts'

/**
 * Logs a click on the menu entry of the processor reports (spec 2.10, 7.4). If the call fails, only the server logs the
 * failure, and the page still opens (8.6).
 */
export const logMenuClick = (): void =>
  void call(logProcessorReport, {
    report_type: 'menu_click_processor_reports',
    processor_id: NOT_ANY,
    page_id: NOT_ANY,
  }).catch(() => {})
