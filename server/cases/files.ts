import { randomInt } from 'node:crypto'
import type { CaseEntry } from '../../shared/cases.ts'
import { attach, fileCall, findFileById, previewOf, receiveFile, uploadResponse } from '../attachments/keep.ts'
import { partCalls } from '../attachments/parts.ts'
import { type Call, type Handler, implement, signedIn } from '../call.ts'
import { notFound } from '../errors.ts'
import { countAttempt, defineAddressLimit } from '../limits.ts'
import type { Tx } from '../tenancy.ts'
import { inStaffScope, findCase } from './entries.ts'
import { UNSENT } from './attach-files.ts'
import { findByLink } from './guest.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { PERSON, type Reader } from './seen.ts'
import { timelineOf } from './timeline.ts'

/**
 * Upload limit for each IP address. The limit is high, because many people can share one address, for example in a
 * library.
 */
const perAddress = defineAddressLimit('case-file', { max: 60 })
/**
 * Daily upload limit for each IP address. The limit protects the store, which keeps files for a day even if no message
 * refers to them.
 */
const perDay = defineAddressLimit('case-file-day', { max: 200, minutes: 1440, after: 'pause' })

/**
 * Upper limit of placeholder subject ids. A file has a random placeholder id as its subject until a message refers to
 * the file.
 */
const MAX_NUMBER = 2 ** 47

/** Finds a file of a case if the reader may see its entry. @throws 404 if not */
async function fileOf<Row extends CaseRow>(tx: Tx, of: CaseKind<Row>, row: Row, reader: Reader, id: string) {
  const entries: CaseEntry[] = await timelineOf(tx, of, row, reader)
  if (!entries.some(({ files }) => files.some((file) => file.id === id))) throw notFound('This file was not found.')
  return findFileById(tx, of.calls.files, row.company_id, id)
}

/**
 * Returns the calls to upload files for a message and to download the files of a timeline. Staff and requesters with an
 * emailed link may use them.
 */
export function fileCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  const seenByStaff = (call: Call<{ subjectId: number; fileId: string }>) =>
    inStaffScope(call, of, async (tx) => {
      const row = await findCase(tx, of, call.company.id, call.body.subjectId)
      return fileOf(tx, of, row, { kind: of.calls.audience, id: signedIn(call).personId }, call.body.fileId)
    })
  const seenByLink = (call: Call<{ token: string; fileId: string }>) =>
    call.inCompany(async (tx) => {
      const row = await findCase(tx, of, call.company.id, await findByLink(tx, of, call, call.body.token))
      return fileOf(tx, of, row, PERSON, call.body.fileId)
    })
  return [
    ...partCalls(of.calls.files),
    implement(of.calls.attach, async (call) => {
      await countAttempt(call.context, [perAddress(call.address), perDay(call.address)])
      const options = { keepsPosition: call.body.keepPosition === 'yes' }
      return receiveFile(
        call,
        of.calls.files,
        call.company.id,
        async (received) => {
          const unsent = { ...received, use: { ...received.use, ...UNSENT } }
          const { id } = await call.inCompany((tx) => attach(tx, unsent, randomInt(1, MAX_NUMBER)))
          return uploadResponse(id, received)
        },
        options,
      )
    }),
    fileCall(of.calls.downloadFile, seenByStaff),
    implement(of.calls.previewFile, async (call) => ({ preview: previewOf(await seenByStaff(call)) })),
    fileCall(of.calls.downloadByLink, seenByLink),
    implement(of.calls.previewByLink, async (call) => ({ preview: previewOf(await seenByLink(call)) })),
  ]
}
