import * as z from 'zod/mini'
import { companyId, line } from './body-parts.ts'
import { endpoint } from './endpoint.ts'

/** Types of access to a payment provider's report: opening the menu, opening a report, or exporting a file. */
export const reportAccesses = {
  menu_click_processor_reports: 'Menu',
  open_report: 'Report',
  export_report: 'File',
} as const

/** Value of a field without a number or id (spec 7.4). */
export const NOT_ANY = 'n/a'

/** Logs that a person opened a provider report (spec 7.4). Callers ignore the response. */
export const logProcessorReport = endpoint({
  path: 'muni/log/processor/report/access',
  summary: 'Logs the access to a payment provider report',
  access: { audience: 'municipality', privilege: ['merchant_reports', 'view'] },
  body: z.object({
    companyId,
    report_type: z.enum(['menu_click_processor_reports', 'open_report', 'export_report']),
    /** Number of the processor, or `n/a`. */
    processor_id: z.union([z.int().check(z.minimum(1), z.maximum(99)), z.literal(NOT_ANY)]),
    /** Id of the report, or `n/a`. */
    page_id: line(60),
  }),
  response: z.object({ success: z.literal(true) }),
})
