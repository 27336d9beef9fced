/** Documents printed for a submission: a copy of the answers, and the issued document, which anyone can verify. */
import * as z from 'zod/mini'
import { companyId, rowId } from '../../shared/body-parts.ts'
import { mailedToken, ofCase } from '../../shared/cases.ts'
import { type Access, downloadCall, endpoint, formCall } from '../../shared/endpoint.ts'
import { cleaned } from '../../shared/typed.ts'
import { viewSubmissions } from './list.ts'

const everybody: Access = { audience: 'public' }
const linkBody = z.object({ token: mailedToken })

/**
 * Validity of an issued document on a day. `renewed` means that a later document with the same number has replaced it.
 */
export const standings = { valid: 'Valid', renewed: 'Renewed', expired: 'Expired', revoked: 'Revoked' } as const
export type DocumentStatus = keyof typeof standings

const issuedDocument = z.object({
  number: z.string(),
  title: z.string(),
  holder: z.string(),
  issuedOn: z.string(),
  /** Last day of validity. Null if the document does not expire. */
  expiresOn: z.nullable(z.string()),
  status: z.enum(Object.keys(standings) as [DocumentStatus]),
})
export type IssuedDocument = z.output<typeof issuedDocument>

/** Verification code of an issued document, which its QR code contains. */
export const documentCode = z
  .string()
  .check(cleaned(), z.regex(/^[\w-]{22}$/, 'We do not recognize this code. Check it for typing mistakes.'))

export const verifyIssuedDocument = endpoint({
  path: 'return/verified/document',
  whenOff: 'finish',
  summary: 'Returns an issued document and its validity by its printed code',
  access: everybody,
  body: z.object({ code: documentCode }),
  response: z.object({ issuedDocument, today: z.string() }),
})

export const issuedDocumentByLink = endpoint({
  path: 'return/issued/document',
  whenOff: 'finish',
  summary: 'Returns the issued document of a submission by emailed link',
  access: everybody,
  body: linkBody,
  response: z.object({
    issuedDocument: z.nullable(issuedDocument),
    /** True if the signed-in person may start a renewal. */
    canRenew: z.boolean(),
    /** True if the form has a PDF that the portal fills in with the answers. */
    hasPdf: z.boolean(),
  }),
})

export const documentOfSubmission = endpoint({
  path: 'muni/return/issued/document',
  summary: 'Returns the issued document of a submission',
  access: viewSubmissions,
  body: ofCase,
  response: z.object({ issuedDocument: z.nullable(issuedDocument), verifyUrl: z.string(), hasPdf: z.boolean() }),
})

export const renewIssuedDocument = endpoint({
  path: 'renew/issued/document',
  summary: 'Creates a renewal draft from the submission of an issued document',
  access: { audience: 'citizen' },
  idempotent: 'offered',
  body: z.object({ submissionId: rowId }),
  response: z.object({ submissionId: z.number() }),
})

/** `filled` is the form's own PDF with the answers. */
const documentKind = z.enum(['copy', 'issued', 'filled'])

export const printByLink = downloadCall({
  path: 'print/form/submission',
  whenOff: 'finish',
  summary: 'Downloads a submission or issued document as PDF by emailed link',
  access: everybody,
  body: z.extend(linkBody, { which: documentKind }),
})

export const emailFormCopy = formCall({
  path: 'mail/form/copy',
  whenOff: 'finish',
  summary: 'Emails a PDF copy of a submission to its email address',
  access: everybody,
  whileImpersonating: 'refused',
  body: linkBody,
})

export const printSubmission = downloadCall({
  path: 'muni/print/form/submission',
  summary: 'Downloads a submission or issued document as PDF',
  access: viewSubmissions,
  personal: true,
  body: z.extend(ofCase, { which: documentKind }),
})

export const MAX_ZIPPED = 10_000

export const zipSubmissions = downloadCall({
  path: 'muni/zip/form/submissions',
  summary: 'Downloads selected submissions, or all of a form, as a zip',
  access: viewSubmissions,
  personal: true,
  body: z.object({
    companyId,
    of: z.union([
      z.object({ ids: z.array(rowId).check(z.minLength(1), z.maxLength(MAX_ZIPPED)) }),
      z.object({ typeId: rowId }),
    ]),
  }),
})
