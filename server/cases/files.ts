import { randomInt } from 'node:crypto'
import type { CaseEntry } from '../../shared/cases.ts'
import { attach, fileCall, findFileById, previewOf, receiveFile, takenAs } from '../attachments/keep.ts'
import { partCalls } from '../attachments/parts.ts'
import { type Call, type Handler, implement, signedIn } from '../call.ts'
import { notFound } from '../errors.ts'
import { countTry, defineAddressLimit } from '../limits.ts'
import type { Tx } from '../tenancy.ts'
import { atDesk, findCase } from './entries.ts'
import { UNSENT } from './give-files.ts'
import { behind } from './guest.ts'
import type { CaseKind, CaseRow } from './kinds.ts'
import { PERSON, type Reader } from './seen.ts'
import { timelineOf } from './timeline.ts'

/** A library, or half a town behind one provider, is one address. */
const perAddress = defineAddressLimit('case-file', { most: 60 })
/** Files that no message names are kept for a day: so many of one address can't fill the store. */
const perDay = defineAddressLimit('case-file-day', { most: 200, minutes: 1440, after: 'pause' })

/** What stands for the message to come, until it names its files. */
const MAX_NUMBER = 2 ** 47

/** A file of a case, where whoever looks sees the entry that it stands in. @throws 404 */
async function fileOf<Row extends CaseRow>(tx: Tx, of: CaseKind<Row>, row: Row, reader: Reader, id: string) {
  const entries: CaseEntry[] = await timelineOf(tx, of, row, reader)
  if (!entries.some(({ files }) => files.some((file) => file.id === id))) throw notFound('This file was not found.')
  return findFileById(tx, of.calls.files, row.company_id, id)
}

/** Sending files for a message, and getting those of a timeline: for staff, and for whoever comes by the mailed link. */
export function fileCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  const seenByStaff = (call: Call<{ subjectId: number; fileId: string }>) =>
    atDesk(call, of, async (tx) => {
      const row = await findCase(tx, of, call.company.id, call.body.subjectId)
      return fileOf(tx, of, row, { kind: of.calls.desk, id: signedIn(call).personId }, call.body.fileId)
    })
  const seenByLink = (call: Call<{ token: string; fileId: string }>) =>
    call.inCompany(async (tx) => {
      const row = await findCase(tx, of, call.company.id, await behind(tx, of, call, call.body.token))
      return fileOf(tx, of, row, PERSON, call.body.fileId)
    })
  return [
    ...partCalls(of.calls.files),
    implement(of.calls.attach, async (call) => {
      await countTry(call.context, [perAddress(call.address), perDay(call.address)])
      const asked = { keepsPosition: call.body.keepPosition === 'yes' }
      return receiveFile(
        call,
        of.calls.files,
        call.company.id,
        async (received) => {
          const unsent = { ...received, use: { ...received.use, ...UNSENT } }
          const { id } = await call.inCompany((tx) => attach(tx, unsent, randomInt(1, MAX_NUMBER)))
          return takenAs(id, received)
        },
        asked,
      )
    }),
    fileCall(of.calls.downloadFile, seenByStaff),
    implement(of.calls.previewFile, async (call) => ({ preview: previewOf(await seenByStaff(call)) })),
    fileCall(of.calls.downloadByLink, seenByLink),
    implement(of.calls.previewByLink, async (call) => ({ preview: previewOf(await seenByLink(call)) })),
  ]
}
