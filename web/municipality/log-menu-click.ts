import { logProcessorReport, NOT_ANY } from '../../shared/processor-reports.ts'
import { call } from '../call.ts'

/**
 * Writes down that the menu's entry of the processor reports was clicked (specification 2.10, 7.4). Where that fails the server's
 * log says so, and nobody is kept from the page (8.6).
 */
export const logMenuClick = (): void =>
  void call(logProcessorReport, {
    report_type: 'menu_click_processor_reports',
    processor_id: NOT_ANY,
    page_id: NOT_ANY,
  }).catch(() => {})
