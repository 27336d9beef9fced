import { fileCall, findFileById } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { answerFilesFor } from '../../../server/fields/answer-files.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Answers } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { attachChargeFile, chargeFiles, downloadChargeFile } from '../contract.ts'

/** Many residents can share one IP address, for example in a library. */
const perAddress = defineAddressLimit('charge-file', { max: 60 })
/**
 * An uploaded file stays for a day even without a payment. This limit keeps one IP address from filling the storage.
 */
const perDay = defineAddressLimit('charge-file-day', { max: 200, minutes: 1440, after: 'pause' })

/** Days until the files of an unpaid charge are deleted. The charge itself is deleted after 90 days. */
const UNPAID_DAYS = 91
const files = answerFilesFor(chargeFiles, 'charge_unsent')
export const unsentFiles = files.find
export const filesOf = files.of

/**
 * Assigns the files in the answers to a charge, in the charge's transaction. The payment makes the files permanent
 * (`storeFiles`).
 */
export const attachFiles = (
  tx: Tx,
  company: CompanyId,
  definition: Definition,
  answers: Answers,
  { id, now }: { id: number; now: Date },
): Promise<void> =>
  files.give(tx, company, definition, answers, { id, until: new Date(now.getTime() + UNPAID_DAYS * 86_400_000) })

/** Makes the files of a paid charge permanent. */
export const storeFiles = (tx: Tx, company: CompanyId, chargeId: number): Promise<unknown> =>
  tx
    .updateTable('attachment')
    .set({ expires_at: null })
    .where('company_id', '=', company)
    .where('subject_kind', '=', chargeFiles.subject)
    .where('subject_id', '=', chargeId)
    .execute()

const fileRequest = (call: Call<{ chargeId: number; fileId: string }>) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const its = await filesOf(tx, company.id, body.chargeId)
    if (!its.some(({ id }) => id === body.fileId)) throw notFound('This file was not found.')
    return findFileById(tx, chargeFiles, company.id, body.fileId)
  })

export const fileCalls = [
  ...partCalls(chargeFiles),
  implement(attachChargeFile, async (call) => {
    await countAttempt(call.context, [perAddress(call.address), perDay(call.address)])
    return files.take(call)
  }),
  fileCall(downloadChargeFile, fileRequest),
]
