import { sql } from 'kysely'
import { changeRow } from '../db/rows.ts'
import { MAX_SAVED_REPLIES, type savedReplyForm } from '../../shared/cases.ts'
import { say } from '../../shared/messages.ts'
import type * as z from 'zod/mini'
import { auditCompanyOrPlatform, PLATFORM } from '../audit.ts'
import { type Call, type Handler, implement } from '../call.ts'
import { defineUnique } from '../db/unique.ts'
import { mergeEdit, recordChanges } from '../edits.ts'
import { notFound, rejected } from '../errors.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { lockUntilCommit } from '../named-lock.ts'
import { findCase, inStaffScope } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

defineUnique({
  index: 'saved_reply_title_once',
  field: 'title',
  message: 'A saved reply with this name already exists. Choose another name.',
})
const GONE = 'Someone else removed this reply. Save it as a new one if you still need it.'

/**
 * Returns the calls for the saved replies of one case kind. The replies belong to a company, or to the platform as
 * company 0.
 */
export function savedReplyCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  const subject_kind = of.calls.kind
  const companyOf = (call: Call): CompanyId | 0 => (of.calls.audience === 'platform' ? PLATFORM : call.company.id)
  const audit = (tx: Tx, call: Call, detail: Record<string, unknown>) =>
    auditCompanyOrPlatform(tx, call.context.clock, of.calls.audience === 'platform' ? null : call.company.id, call, {
      action: of.audit.savedRepliesChanged,
      detail,
    })
  const selectReplies = (tx: Tx, company: number) =>
    tx
      .selectFrom('saved_reply')
      .select(['id', 'title', 'text'])
      .where('company_id', '=', company)
      .where('subject_kind', '=', subject_kind)
  return [
    implement(of.calls.savedReplies, (call) =>
      inStaffScope(call, of, async (tx) => {
        const { subjectId } = call.body
        const all = await selectReplies(tx, companyOf(call))
          .select('uses')
          .orderBy('title')
          .limit(MAX_SAVED_REPLIES)
          .execute()
        const row =
          subjectId === undefined || of.calls.audience === 'platform'
            ? null
            : await findCase(tx, of, call.company.id, subjectId)
        const sorted = row === null ? all : byUse(all, groupOf(of, row))
        return { savedReplies: sorted.map(({ uses: _uses, ...reply }) => reply) }
      }),
    ),
    implement(of.calls.saveReply, (call) =>
      inStaffScope(call, of, async (tx) => {
        const company_id = companyOf(call)
        const { savedReplyId, basis, title, text } = call.body
        const reply = { title, text }
        if (savedReplyId === null) {
          const added = await add(tx, { ...reply, company_id, subject_kind })
          await audit(tx, call, { added: title })
          return { ...added, ...successWith(say`Reply saved.`) }
        }
        const now = await selectReplies(tx, company_id).where('id', '=', savedReplyId).forUpdate().executeTakeFirst()
        if (!now) throw notFound(GONE)
        const before = { title: now.title, text: now.text }
        const edit = {
          tx,
          clock: call.context.clock,
          actor: call,
          company: company_id,
          subject: `saved_reply ${savedReplyId}`,
        }
        const merged = await mergeEdit(edit, { basis, own: reply, now: before })
        await changeRow(tx, 'saved_reply', company_id, savedReplyId, merged)
        await recordChanges(edit, before, merged)
        await audit(tx, call, { changed: merged.title })
        return { savedReplyId, ...successWith(say`Reply saved.`) }
      }),
    ),
    implement(of.calls.removeReply, (call) =>
      inStaffScope(call, of, async (tx) => {
        const removed = await tx
          .deleteFrom('saved_reply')
          .where('company_id', '=', companyOf(call))
          .where('subject_kind', '=', subject_kind)
          .where('id', '=', call.body.savedReplyId)
          .returning('title')
          .executeTakeFirst()
        if (removed) await audit(tx, call, { removed: removed.title })
        return successWith(say`The reply was removed.`)
      }),
    ),
  ]

  async function add(tx: Tx, row: z.output<typeof savedReplyForm> & { company_id: number; subject_kind: string }) {
    await lockUntilCommit(tx, 'saved_reply', row.company_id, subject_kind)
    const { n } = await tx
      .selectFrom('saved_reply')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('company_id', '=', row.company_id)
      .where('subject_kind', '=', subject_kind)
      .executeTakeFirstOrThrow()
    if (Number(n) >= MAX_SAVED_REPLIES)
      throw rejected(say`You already have ${MAX_SAVED_REPLIES} saved replies. Remove one that you no longer need.`)
    const { id } = await tx.insertInto('saved_reply').values(row).returning('id').executeTakeFirstOrThrow()
    return { savedReplyId: id }
  }
}

const groupOf = <Row extends CaseRow>(of: CaseKind<Row>, row: Row): string => of.replyGroup?.(row) ?? ''

/** Sorts the replies by their uses in the group, then by all their uses. */
function byUse<Reply extends { uses: Record<string, number> }>(replies: readonly Reply[], group: string): Reply[] {
  const total = ({ uses }: Reply) => Object.values(uses).reduce((sum, count) => sum + count, 0)
  return replies.toSorted((a, b) => (b.uses[group] ?? 0) - (a.uses[group] ?? 0) || total(b) - total(a))
}

/** Counts the use of a saved reply. Only replies of a company are counted, because all companies share the others. */
export async function countUse<Row extends CaseRow>(tx: Tx, of: CaseKind<Row>, row: Row, id: number | undefined) {
  if (id === undefined || of.calls.audience === 'platform') return
  const group = groupOf(of, row)
  await sql`
    UPDATE saved_reply SET uses = jsonb_set(uses, ARRAY[${group}], to_jsonb(coalesce((uses ->> ${group})::int, 0) + 1))
    WHERE company_id = ${row.company_id} AND subject_kind = ${of.calls.kind} AND id = ${id}`.execute(tx)
}

const successWith = (message: string) => ({ success: true as const, message })
