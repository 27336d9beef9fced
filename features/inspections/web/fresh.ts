import type { ResponseOf } from '../../../shared/endpoint.ts'
import { reload } from '../../../web/query.ts'
import { returnInspection, returnInspectionOptions, returnTemplate } from '../contract.ts'
import { inspections, templates } from '../list.ts'

/** Inspection and item data for their panels. */
export type InspectionDetails = ResponseOf<typeof returnInspection>
export type ItemDetails = InspectionDetails['items'][number]

export const reloadInspections = (): Promise<unknown> =>
  Promise.all([inspections.call, returnInspection].map((one) => reload(one)))

export const reloadTemplates = (): Promise<unknown> =>
  Promise.all([templates.call, returnTemplate, returnInspectionOptions].map((one) => reload(one)))
