import { Readable } from 'node:stream'
import { dateIn } from '../../../shared/dates.ts'
import type { RequestOf } from '../../../shared/endpoint.ts'
import { say } from '../../../shared/messages.ts'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { defineRenderer } from '../../../server/render.ts'
import { conflict } from '../../../server/errors.ts'
import { countAttempt, defineLimit } from '../../../server/limits.ts'
import { printCertificate } from '../contract.ts'
import { counting } from '../rules.ts'
import type { Certificate, certificatePdf } from './certificate-pdf.ts'
import { findInspection, itemsOf, itemStateOf } from './inspections.ts'

const certificatesPerPerson = defineLimit('inspection-certificates', { max: 60, after: 'pause' })
const render = defineRenderer<Parameters<typeof certificatePdf>>(new URL('./certificate-thread.ts', import.meta.url))

/** @throws 409 if the inspection did not pass or its template issues no certificate */
const certified = (call: Call<RequestOf<typeof printCertificate>>): Promise<Certificate> =>
  call.reading(async (tx) => {
    const { id: company, timeZone } = call.company
    const inspection = await findInspection(tx, company, call.body.inspectionId)
    const { number, status, finished_at } = inspection
    if (status !== 'passed' || !finished_at)
      throw conflict('wrong_status', say`Inspection ${number} has not passed, so it has no certificate.`)
    const { certificate } = await tx
      .selectFrom('inspection_template')
      .select('certificate')
      .where('company_id', '=', company)
      .where('id', '=', inspection.template_id)
      .executeTakeFirstOrThrow()
    if (certificate === '')
      throw conflict(
        'no_certificate',
        say`The template for “${inspection.title}” has no certificate text, so no certificate is issued.`,
      )
    const items = await itemsOf(tx, company, inspection.id)
    const counts = new Set(counting(items.map(itemStateOf)).map(({ id }) => id))
    return {
      number,
      title: inspection.title,
      subject: inspection.subject_name,
      location: inspection.location,
      on: dateIn(timeZone, finished_at),
      by: inspection.finished_by,
      text: certificate,
      items: items
        .filter(({ id, status: result }) => counts.has(id) && result === 'passed')
        .map(({ title, done_at, done_by }) => ({
          title,
          on: dateIn(timeZone, done_at ?? finished_at),
          by: done_by,
        })),
    }
  })

export const certificateCall = implement(
  printCertificate,
  async (call) => {
    const { company, context } = call
    const caller = `${company.id}/${signedIn(call).personId}`
    const certificate = await certified(call)
    const pdf = await render(caller, company, certificate, context.clock.now())
    const name = `certificate-${certificate.number}.pdf`
    return { name, contentType: 'application/pdf', stream: Readable.from([pdf]) }
  },
  // The limit counts requests for a download token, because each PDF needs one.
  async (call) => {
    await countAttempt(call.context, [certificatesPerPerson(`${call.company.id}/${signedIn(call).personId}`)])
    await certified(call)
  },
)
