import { Readable } from 'node:stream'
import { type Call, implement } from '../../../../server/call.ts'
import { findCase } from '../../../../server/cases/entries.ts'
import { findByLink } from '../../../../server/cases/guest.ts'
import { originOf } from '../../../../server/config.ts'
import { defineRenderer } from '../../../../server/render.ts'
import { notFound } from '../../../../server/errors.ts'
import { countAttempt, defineAddressLimit } from '../../../../server/limits.ts'
import type { Tx } from '../../../../server/tenancy.ts'
import type { RequestOf } from '../../../../shared/endpoint.ts'
import { dateIn, formatInstant } from '../../../../shared/dates.ts'
import { translated } from '../../../../shared/messages.ts'
import { printByLink, printSubmission } from '../../contract-documents.ts'
import { numberOf } from '../../rules.ts'
import { submissionStates } from '../../states.ts'
import { submissionsCase } from '../case.ts'
import { filledCopy, toFill } from '../pdf/stored-pdf.ts'
import { sentOf, type Submission, textsOf } from '../row.ts'
import type { renderPrinted, PrintJob } from './render-thread.ts'
import { documentOf, documentView, verifyPath } from './issued.ts'

/** Rate limit for each IP address. Many residents can share one address, for example in a library. */
const perAddress = defineAddressLimit('form-documents', { max: 100, after: 'pause' })

export const render = defineRenderer<Parameters<typeof renderPrinted>>(new URL('./render-thread.ts', import.meta.url))

type PrintContext = Pick<Call, 'company' | 'context'>

/** Formats an instant in the company's time zone. */
const when = ({ company }: PrintContext, at: Date | null): string => (at ? formatInstant(at, company.timeZone) : '')

/** Returns a submission as print data. */
export async function copyOf(tx: Tx, at: PrintContext, row: Submission): Promise<PrintJob> {
  const answers = textsOf(row, await sentOf(tx, at.company.id, row))
  const decided = when(at, row.decided_at)
  return {
    which: 'copy',
    of: {
      number: numberOf(row.id),
      title: row.title,
      name: row.name,
      enteredBy: row.entered_by,
      sent: when(at, row.submitted_at),
      status: translated(submissionStates.labels[row.status]),
      answers,
      feeCents: row.fee_cents,
      paidCents: row.paid_cents,
      signer: row.signed_at ? `${row.signer_name}, ${when(at, row.signed_at)}` : '',
      decided: decided && row.decided_by ? `${decided}, ${row.decided_by}` : decided,
    },
  }
}

async function issuedOf(tx: Tx, at: PrintContext, row: Submission): Promise<PrintJob> {
  const { company, context } = at
  const issued = await documentOf(tx, company.id, row.id)
  if (!issued) throw notFound('No document was issued for this form.')
  const answers = textsOf(row, await sentOf(tx, company.id, row))
  return {
    which: 'issued',
    of: {
      issuedDocument: documentView(issued, dateIn(company.timeZone, context.clock.now())),
      submission: `${row.title}, ${numberOf(row.id)}`,
      details: answers.filter(({ value }) => value !== '' && value.length <= MAX_LENGTH).slice(0, MAX_DETAILS),
      verifyUrl: originOf(context.config, company.subdomain) + verifyPath(issued),
    },
  }
}

/** Limits that keep a license on one sheet. The submission has the complete answers. */
const MAX_DETAILS = 12
const MAX_LENGTH = 120

type PrintKind = RequestOf<typeof printSubmission>['which']

/**
 * Returns the document to print.
 * @throws 404 if it does not exist
 */
async function loadDocument(call: Call, which: PrintKind, find: (tx: Tx) => Promise<Submission>) {
  return call.reading(async (tx) => {
    const row = await find(tx)
    if (which === 'filled') return { row, what: await toFill(tx, call.company.id, row) }
    return { row, what: await (which === 'copy' ? copyOf : issuedOf)(tx, call, row) }
  })
}

async function printed(call: Call, caller: string, { row, what }: Awaited<ReturnType<typeof loadDocument>>) {
  const { company, context } = call
  const lane = `${company.id}/${caller}`
  const pdf =
    'file' in what ? await filledCopy(context, lane, what) : await render(lane, company, what, context.clock.now())
  const name = 'which' in what && what.which === 'issued' ? what.of.issuedDocument.number : numberOf(row.id)
  return { name: `${name}.pdf`, contentType: 'application/pdf', stream: Readable.from([pdf]) }
}

type ByLink = Call<RequestOf<typeof printByLink>>
const byLink = (call: ByLink) =>
  loadDocument(call, call.body.which, async (tx) =>
    findCase(tx, submissionsCase, call.company.id, await findByLink(tx, submissionsCase, call, call.body.token)),
  )
export const printByLinkCall = implement(
  printByLink,
  async (call) => printed(call, call.address, await byLink(call)),
  // Limits attempts here, because this call reveals whether a link is valid.
  async (call) => {
    await countAttempt(call.context, [perAddress(call.address)])
    await byLink(call)
  },
)

type StaffPrintContext = Call<RequestOf<typeof printSubmission>>
const loadForStaff = (call: StaffPrintContext) =>
  loadDocument(call, call.body.which, (tx) => findCase(tx, submissionsCase, call.company.id, call.body.subjectId))
export const printSubmissionCall = implement(
  printSubmission,
  async (call) => printed(call, `staff ${call.session?.personId ?? 0}`, await loadForStaff(call)),
  async (call) => void (await loadForStaff(call)),
)
