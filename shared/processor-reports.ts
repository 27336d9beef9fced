import * as z from 'zod/mini'
import { companyId, line } from './body-parts.ts'
import { endpoint } from './endpoint.ts'

/** How a report of the payment provider was opened: by the menu, or one of them from the page that lists them. */
export const reportAccesses = {
  menu_click_processor_reports: 'The menu',
  open_report: 'A report',
  export_report: 'A file',
} as const

/** What a menu has no number for (specification 7.4). */
export const NOT_ANY = 'n/a'

/** Specification 7.4: each opening of the provider's reports is written down. What comes back is not used. */
export const logProcessorReport = endpoint({
  path: 'muni/log/processor/report/access',
  summary: 'Writes down that somebody opened a report of the payment provider',
  access: { audience: 'municipality', privilege: ['transaction_management', 'view'] },
  body: z.object({
    companyId,
    report_type: z.enum(['menu_click_processor_reports', 'open_report', 'export_report']),
    /** The processor's number, or `n/a`. */
    processor_id: z.union([z.int().check(z.minimum(1), z.maximum(99)), z.literal(NOT_ANY)]),
    /** Which report, or `n/a`. */
    page_id: line(60),
  }),
  answer: z.object({ success: z.literal(true) }),
})
