import { changeRow } from '../db/rows.ts'
import { MAX_ANSWERS, type cannedForm } from '../../shared/cases.ts'
import { say } from '../../shared/messages.ts'
import type * as z from 'zod/mini'
import { auditCompanyOrPlatform, PLATFORM } from '../audit.ts'
import { type Call, type Handler, implement } from '../call.ts'
import { defineUnique } from '../db/unique.ts'
import { mergeEdit, noteChanges } from '../edits.ts'
import { notFound, rejected } from '../errors.ts'
import type { CompanyId, Tx } from '../tenancy.ts'
import { takeTurns } from '../turns.ts'
import { inStaffScope } from './entries.ts'
import type { CaseKind, CaseRow } from './kinds.ts'

defineUnique({
  index: 'canned_answer_title_once',
  field: 'title',
  message: 'A saved reply with this name already exists. Choose another name.',
})
const GONE = 'Someone else removed this reply. Save it as a new one if you still need it.'

/**
 * Returns the calls for canned replies of one case kind. The replies belong to a company, or to the platform as company
 * 0.
 */
export function cannedCalls<Row extends CaseRow>(of: CaseKind<Row>): Handler[] {
  const subject_kind = of.calls.kind
  const companyOf = (call: Call): CompanyId | 0 => (of.calls.audience === 'platform' ? PLATFORM : call.company.id)
  const audit = (tx: Tx, call: Call, detail: Record<string, unknown>) =>
    auditCompanyOrPlatform(tx, call.context.clock, of.calls.audience === 'platform' ? null : call.company.id, call, {
      action: of.audit.answersChanged,
      detail,
    })
  const selectAnswers = (tx: Tx, company: number) =>
    tx
      .selectFrom('canned_answer')
      .select(['id', 'title', 'text'])
      .where('company_id', '=', company)
      .where('subject_kind', '=', subject_kind)
  return [
    implement(of.calls.answers, (call) =>
      inStaffScope(call, of, async (tx) => ({
        answers: await selectAnswers(tx, companyOf(call)).orderBy('title').limit(MAX_ANSWERS).execute(),
      })),
    ),
    implement(of.calls.saveAnswer, (call) =>
      inStaffScope(call, of, async (tx) => {
        const company_id = companyOf(call)
        const { answerId, basis, title, text } = call.body
        const response = { title, text }
        if (answerId === null) {
          const added = await add(tx, { ...response, company_id, subject_kind })
          await audit(tx, call, { added: title })
          return { ...added, ...successWith(say`Reply saved.`) }
        }
        const now = await selectAnswers(tx, company_id).where('id', '=', answerId).forUpdate().executeTakeFirst()
        if (!now) throw notFound(GONE)
        const before = { title: now.title, text: now.text }
        const edit = {
          tx,
          clock: call.context.clock,
          actor: call,
          company: company_id,
          subject: `canned_answer ${answerId}`,
        }
        const merged = await mergeEdit(edit, { basis, own: response, now: before })
        await changeRow(tx, 'canned_answer', company_id, answerId, merged)
        await noteChanges(edit, before, merged)
        await audit(tx, call, { changed: merged.title })
        return { answerId, ...successWith(say`Reply saved.`) }
      }),
    ),
    implement(of.calls.removeAnswer, (call) =>
      inStaffScope(call, of, async (tx) => {
        const removed = await tx
          .deleteFrom('canned_answer')
          .where('company_id', '=', companyOf(call))
          .where('subject_kind', '=', subject_kind)
          .where('id', '=', call.body.answerId)
          .returning('title')
          .executeTakeFirst()
        if (removed) await audit(tx, call, { removed: removed.title })
        return successWith(say`The reply was removed.`)
      }),
    ),
  ]

  async function add(tx: Tx, row: z.output<typeof cannedForm> & { company_id: number; subject_kind: string }) {
    await takeTurns(tx, 'canned_answer', row.company_id, subject_kind)
    const { n } = await tx
      .selectFrom('canned_answer')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('company_id', '=', row.company_id)
      .where('subject_kind', '=', subject_kind)
      .executeTakeFirstOrThrow()
    if (Number(n) >= MAX_ANSWERS)
      throw rejected(say`You already have ${MAX_ANSWERS} saved replies. Remove one that you no longer need.`)
    const { id } = await tx.insertInto('canned_answer').values(row).returning('id').executeTakeFirstOrThrow()
    return { answerId: id }
  }
}

const successWith = (message: string) => ({ success: true as const, message })
