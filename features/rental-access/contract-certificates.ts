import * as z from 'zod/mini'
import { defineAttachments, uploadedFile } from '../../shared/attachments.ts'
import { companyId, rowId, rowIdBesideFile } from '../../shared/body-parts.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { JPEG, PDF, PNG } from '../../shared/file-types.ts'
import { isoDate } from '../../shared/iso-date.ts'
import { viewAccess } from '../rentals/contract.ts'
import { certificateStates } from './states.ts'

/**
 * Endpoints for certificates of insurance. The renter sends a certificate, and staff accept it or request another one.
 */

const change: Access = { audience: ['municipality', 'platform'], privilege: ['rentals', 'update'] }
const resident: Access = { audience: 'citizen' }

const files = {
  accepts: [PDF, JPEG, PNG],
  maxBytes: 10 * 1024 * 1024,
  maxFiles: 1,
  unsupportedType: 'Upload the certificate as a PDF, JPG or PNG.',
  unnamed: 'certificate',
  subject: 'rental_certificate',
} as const
export const certificateFiles = defineAttachments({
  ...files,
  kind: 'rental_certificate',
  access: resident,
  whenOff: 'finish',
})
/** Certificates that staff upload. They arrived at the office on paper or by email. */
export const staffCertificateFiles = defineAttachments({ ...files, kind: 'rental_certificate_desk', access: change })

const sent = {
  reservationId: rowIdBesideFile('Choose the reservation for this certificate.'),
  validThrough: z.string({ error: 'Enter the last day that the insurance is valid.' }).check(
    z.regex(/^\d{4}-\d{2}-\d{2}$/, 'Enter the last day that the insurance is valid.'),
    z.refine((value) => isoDate.safeParse(value).success, 'Enter the last day that the insurance is valid.'),
  ),
}
const certificate = z.object({
  id: z.number(),
  status: certificateStates.state,
  validThrough: z.string(),
  /** True if the certificate expires before the reservation ends. */
  isTooShort: z.boolean(),
  name: z.string(),
  sentAt: z.string(),
  reason: z.string(),
})
export type Certificate = z.output<typeof certificate>
const certificateView = {
  isNeeded: z.boolean(),
  /** Last day that the certificate must cover. */
  day: z.string(),
  /** Deadline by which the renter must send a missing certificate. */
  by: z.string(),
  certificate: z.nullable(certificate),
}

export const myCertificate = endpoint({
  path: 'return/my/rental/certificate',
  whenOff: 'finish',
  summary: "Returns the certificate of insurance status of the caller's reservation",
  access: resident,
  body: z.object({ reservationId: rowId }),
  response: z.object({ ...certificateView, canSend: z.boolean() }),
})
export const sendCertificate = endpoint({
  path: 'send/my/rental/certificate',
  whenOff: 'finish',
  summary: "Uploads a certificate of insurance for the caller's reservation",
  access: resident,
  files: certificateFiles,
  body: z.object(sent),
  response: uploadedFile,
})

export const staffCertificate = endpoint({
  path: 'muni/return/rental/certificate',
  summary: 'Returns the certificate of insurance status of a reservation',
  access: viewAccess,
  personal: true,
  body: z.object({ companyId, reservationId: rowId }),
  response: z.object({
    ...certificateView,
    can: z.object({ steps: z.record(certificateStates.button, z.boolean()), send: z.boolean() }),
  }),
})
export const addCertificate = endpoint({
  path: 'muni/add/rental/certificate',
  summary: 'Uploads a certificate of insurance for a reservation as staff',
  access: change,
  files: staffCertificateFiles,
  body: z.object({ companyId, ...sent }),
  response: uploadedFile,
})
export const transitionCertificate = formCall({
  path: 'muni/transition/rental/certificate',
  summary: 'Accepts a certificate of insurance or requests a replacement',
  access: change,
  body: z.object({
    companyId,
    certificateId: rowId,
    event: certificateStates.button,
    reason: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  }),
})
export const downloadCertificate = downloadCall({
  path: 'muni/download/rental/certificate',
  summary: 'Downloads the file of a certificate of insurance',
  access: viewAccess,
  body: z.object({ companyId, certificateId: rowId }),
})
