import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Answers, FileAnswer } from '../../shared/fields/answer.ts'
import type { Attachments } from '../../shared/attachments.ts'
import type { Definition } from '../../shared/fields/definition.ts'
import { allFields } from '../../shared/fields/walk.ts'
import { attach, receiveFile, uploadResponse } from '../attachments/keep.ts'
import type { Call } from '../call.ts'
import { rejected } from '../errors.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import type { FindFile } from './accept-answers.ts'

/**
 * Files in answers. People upload a file before they send the answers. For a day, the file belongs to no subject. The
 * server attaches the file to the subject of the answers that name it.
 */

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_NUMBER = 2 ** 47

export interface AnswerFile {
  id: string
  name: string
  bytes: number
  state: 'waiting' | 'clean' | 'refused'
}

/**
 * Creates the file calls of answers.
 * @param use attachment use. After submission, files belong to its subject
 * @param unsentSubject subject of a file before submission, for `keepDays` days. During that time, a draft may refer to
 *   the file
 */
export const answerFilesFor = (use: Attachments, unsentSubject: string, { keepDays = 1 } = {}) => {
  const unsent = { subject: unsentSubject, maxFiles: 1, keepDays }
  return {
    /** Accepts a file that a person uploads before they send the answers. */
    take: (call: Call<object>) =>
      receiveFile(call as never, use, call.company.id, async (received) => {
        const limited = { ...received, use: { ...received.use, ...unsent } }
        const { id } = await call.inCompany((tx) => attach(tx, limited, randomInt(1, MAX_NUMBER)))
        return uploadResponse(id, received)
      }),

    /** Finds a file of `subject`, or a file that a guest or the `sender` uploaded and has not submitted yet. */
    find:
      (tx: Tx, company: CompanyId, sender: number | null, subject = 0): FindFile =>
      async ({ id, name }) => {
        if (!ID.test(id)) return null
        const { rows } = await sql<{ content_type: string; bytes: number }>`
          SELECT content_type, bytes FROM attachment
          WHERE company_id = ${company} AND id = ${id} AND name = ${name} AND kind = ${use.kind} AND state <> 'refused'
            AND (subject_kind = ${unsentSubject} AND (created_by IS NULL OR created_by = ${sender}) OR subject_kind = ${use.subject} AND subject_id = ${subject})`.execute(
          tx,
        )
        const [row] = rows
        return row ? { kind: row.content_type.startsWith('image/') ? 'image' : 'document', bytes: row.bytes } : null
      },

    /**
     * Attaches the files in answers to their subject, in the transaction that stores the answers. `until` is the time
     * at which the files expire. Null if they never expire.
     */
    async give(
      tx: Tx,
      company: CompanyId,
      definition: Definition,
      answers: Answers,
      { id, until }: { id: number; until: Date | null },
    ): Promise<void> {
      const named = allFields(definition)
        .filter(({ type }) => type === 'file')
        .flatMap(({ name }) => (answers[name] ?? []) as FileAnswer[])
      for (const file of new Set(named.map((one) => one.id))) {
        const { rows } = await sql`
          UPDATE attachment SET subject_kind = ${use.subject}, subject_id = ${id}, expires_at = ${until}::timestamptz,
            nth = 1 + coalesce((SELECT max(o.nth) FROM attachment o WHERE o.company_id = ${company} AND o.kind = ${use.kind}
              AND o.subject_kind = ${use.subject} AND o.subject_id = ${id}), 0)
          WHERE company_id = ${company} AND id = ${file} AND kind = ${use.kind} AND subject_kind = ${unsentSubject}
          RETURNING id`.execute(tx)
        if (rows.length > 0) continue
        const { rows: has } = await sql`
          SELECT 1 FROM attachment WHERE company_id = ${company} AND id = ${file} AND kind = ${use.kind}
            AND subject_kind = ${use.subject} AND subject_id = ${id}`.execute(tx)
        if (has.length === 0) throw rejected('One of the attached files is no longer available. Add the file again.')
      }
    },

    async of(tx: Tx, company: CompanyId, id: number): Promise<AnswerFile[]> {
      const { rows } = await sql<AnswerFile>`
        SELECT id, name, bytes, state FROM attachment WHERE company_id = ${company} AND kind = ${use.kind}
          AND subject_kind = ${use.subject} AND subject_id = ${id} ORDER BY nth`.execute(tx)
      return rows
    },
  }
}
