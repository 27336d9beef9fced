import { Readable } from 'node:stream'
import { dateIn } from '../../../shared/dates.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { defineRenderer } from '../../../server/render.ts'
import { notFound } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { printHydrantReport } from '../contract.ts'
import { inspectionStatus } from '../rules.ts'
import { testsOf } from './flow-tests.ts'
import type { hydrantReport, HydrantPdfData } from './report-pdf.ts'

/** Maximum number of hydrants in one report. Such a report renders in a second or two. */
const MAX_PRINTED = 3000
const documentsPerPerson = defineLimit('hydrant-documents', { max: 60, after: 'pause' })
const render = defineRenderer<Parameters<typeof hydrantReport>>(new URL('./report-thread.ts', import.meta.url))

const printed = (call: Call<RequestOf<typeof printHydrantReport>>): Promise<HydrantPdfData[]> =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { hydrantId } = call.body
    const today = dateIn(call.company.timeZone, call.context.clock.now())
    const query = tx.selectFrom('hydrant').selectAll().where('company_id', '=', company)
    const narrowed =
      hydrantId === undefined ? query.where('service', '<>', 'retired') : query.where('id', '=', hydrantId)
    const rows = await narrowed.orderBy('number').limit(MAX_PRINTED).execute()
    if (rows.length === 0) throw notFound('No hydrants to print.')
    const tests = hydrantId === undefined ? [] : await testsOf(tx, company, hydrantId)
    return rows.map((row) => ({
      number: row.number,
      location: row.location,
      make: [row.make, row.model, row.made_year ?? ''].filter(Boolean).join(' '),
      sizeInches: row.size_inches,
      mainInches: row.main_inches,
      service: row.service,
      serviceReason: row.service_reason,
      status: inspectionStatus(row.next_inspection_on, today),
      lastInspectedOn: row.last_inspected_on,
      nextInspectionOn: row.next_inspection_on,
      testedOn: row.tested_on,
      availableGpm: row.available_gpm,
      flowClass: row.flow_class,
      tests,
    }))
  })

export const documentsCall = implement(
  printHydrantReport,
  async (call) => {
    const { company, context } = call
    const caller = `${company.id}/${signedIn(call).personId}`
    const hydrants = await printed(call)
    const now = context.clock.now()
    const pdf = await render(caller, company, hydrants, dateIn(company.timeZone, now), now)
    const name = call.body.hydrantId === undefined ? 'hydrants' : `hydrant-${hydrants[0]?.number ?? ''}`
    return { name: `${name}.pdf`, contentType: 'application/pdf', stream: Readable.from([pdf]) }
  },
  // Counts the report when the caller requests a download token, because each report needs one.
  async (call) => {
    await countAttempt(call.context, [documentsPerPerson(`${call.company.id}/${signedIn(call).personId}`)])
    await printed(call)
  },
)
