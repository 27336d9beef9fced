import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { attach, fileCall, findFileById, receiveFile, takenAs } from '../../../server/attachments/keep.ts'
import { partCalls } from '../../../server/attachments/parts.ts'
import { type Call, implement } from '../../../server/call.ts'
import { notFound, rejected } from '../../../server/errors.ts'
import type { FindFile } from '../../../server/fields/accept-answers.ts'
import { countTry, defineAddressLimit } from '../../../server/limits.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { Answers, FileAnswer } from '../../../shared/fields/answer.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { allFields } from '../../../shared/fields/walk.ts'
import { attachChargeFile, chargeFiles, downloadChargeFile } from '../contract.ts'

/** A library, or half a town behind one provider, is one address. */
const perAddress = defineAddressLimit('charge-file', { most: 60 })
/** Files that nobody pays for are kept for a day: so many of one address can't fill the store. */
const perDay = defineAddressLimit('charge-file-day', { most: 200, minutes: 1440, after: 'pause' })

/** Until answers name it, a file stands under a number of its own and goes after a day. */
const UNSENT = { subject: 'charge_unsent', mostFiles: 1, keepDays: 1 }
const MOST_NUMBER = 2 ** 47
/** What is never paid is swept after 90 days, and its files after it. */
const UNPAID_DAYS = 91

const unsent = (tx: Tx, company: CompanyId, { id, name }: FileAnswer) =>
  tx
    .selectFrom('attachment')
    .select(['content_type', 'bytes'])
    .where('company_id', '=', company)
    .where('id', '=', id)
    .where('name', '=', name)
    .where('kind', '=', chargeFiles.kind)
    .where('subject_kind', '=', UNSENT.subject)
    .where('state', '<>', 'refused')
    .executeTakeFirst()

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Finds a file that was sent and that no answers name yet. */
export const unsentFiles =
  (tx: Tx, company: CompanyId): FindFile =>
  async (file) => {
    const row = ID.test(file.id) ? await unsent(tx, company, file) : undefined
    return row ? { kind: row.content_type.startsWith('image/') ? 'picture' : 'document', bytes: row.bytes } : null
  }

/** Gives a charge the files that its answers name, in its transaction. They stay for good once it is paid (`keepFiles`). */
export async function giveFiles(
  tx: Tx,
  company: CompanyId,
  definition: Definition,
  answers: Answers,
  { id, now }: { id: number; now: Date },
): Promise<void> {
  const named = allFields(definition)
    .filter(({ type }) => type === 'file')
    .flatMap(({ name }) => (answers[name] ?? []) as FileAnswer[])
  const ids = [...new Set(named.map((file) => file.id))]
  for (const [before, file] of ids.entries()) {
    const { numUpdatedRows } = await tx
      .updateTable('attachment')
      .set({
        subject_kind: chargeFiles.subject,
        subject_id: id,
        nth: before + 1,
        expires_at: new Date(now.getTime() + UNPAID_DAYS * 86_400_000),
      })
      .where('company_id', '=', company)
      .where('id', '=', file)
      .where('subject_kind', '=', UNSENT.subject)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw rejected('A file is not here any more. Add it again.')
  }
}

/** What is paid keeps its files. */
export const keepFiles = (tx: Tx, company: CompanyId, chargeId: number): Promise<unknown> =>
  tx
    .updateTable('attachment')
    .set({ expires_at: null })
    .where('company_id', '=', company)
    .where('subject_kind', '=', chargeFiles.subject)
    .where('subject_id', '=', chargeId)
    .execute()

interface ChargeFile {
  id: string
  name: string
  bytes: number
  state: 'waiting' | 'clean' | 'refused'
}

export async function filesOf(tx: Tx, company: CompanyId, chargeId: number): Promise<ChargeFile[]> {
  const { rows } = await sql<ChargeFile>`
    SELECT id, name, bytes, state FROM attachment WHERE company_id = ${company} AND kind = ${chargeFiles.kind}
      AND subject_kind = ${chargeFiles.subject} AND subject_id = ${chargeId} ORDER BY nth`.execute(tx)
  return rows
}

const asked = (call: Call<{ chargeId: number; fileId: string }>) =>
  call.inCompany(async (tx) => {
    const { company, body } = call
    const files = await filesOf(tx, company.id, body.chargeId)
    if (!files.some(({ id }) => id === body.fileId)) throw notFound('This file was not found.')
    return findFileById(tx, chargeFiles, company.id, body.fileId)
  })

export const fileCalls = [
  ...partCalls(chargeFiles),
  implement(attachChargeFile, async (call) => {
    await countTry(call.house, [perAddress(call.address), perDay(call.address)])
    return receiveFile(call, chargeFiles, call.company.id, async (received) => {
      const use = { ...received.use, ...UNSENT }
      const { id } = await call.inCompany((tx) => attach(tx, { ...received, use }, randomInt(1, MOST_NUMBER)))
      return takenAs(id, received)
    })
  }),
  fileCall(downloadChargeFile, asked),
]
