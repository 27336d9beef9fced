import { fileCall, findFileById } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound } from '../../../server/errors.ts'
import { answerFilesFor } from '../../../server/fields/answer-files.ts'
import { countAttempt, defineAddressLimit } from '../../../server/limits.ts'
import { answerFiles, attachAnswerFile, downloadAnswerFile } from '../contract.ts'

/** Rate limit for each IP address. Many residents can share one address, for example in a library. */
const perAddress = defineAddressLimit('form-file', { max: 60 })
/**
 * Uploaded files are stored for a while, even if the answers are never sent. This limit keeps one IP address from
 * filling the storage.
 */
const perDay = defineAddressLimit('form-file-day', { max: 200, minutes: 1440, after: 'pause' })

export const files = answerFilesFor(answerFiles, 'form_unsent', { keepDays: 90 })

const findAnswerFile = (call: Call<{ subjectId: number; fileId: string }>) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const its = await files.of(tx, company.id, body.subjectId)
    if (!its.some(({ id }) => id === body.fileId)) throw notFound('This file was not found.')
    return findFileById(tx, answerFiles, company.id, body.fileId)
  })

export const fileCalls = [
  ...partCalls(answerFiles),
  implement(attachAnswerFile, async (call) => {
    await countAttempt(call.context, [perAddress(call.address), perDay(call.address)])
    return files.take(call)
  }),
  fileCall(downloadAnswerFile, findAnswerFile),
]
