import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, notFound, rejected } from '../../../server/errors.ts'
import { recordCreation, defineStateStore, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { same } from '../../../shared/edits.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import {
  type FaqForm,
  faqForm,
  faqLinkTargets,
  transitionFaq,
  removeFaq,
  saveFaq,
  showFaq,
  writeFaq,
} from '../contract-staff.ts'
import { type RichText, textOf } from '../../../shared/rich-text.ts'
import { faqStates } from '../states.ts'
import { allFindable } from './others.ts'

const questions = rowFinderById('faq', () => notFound('This FAQ was not found.'))
type Row = Awaited<ReturnType<typeof questions.find>>

const formOf = (row: Row): FaqForm => ({
  categoryId: String(row.category_id),
  question: row.question,
  answer: row.answer as unknown as RichText,
  alternatives: row.other_wordings,
  visibleFrom: row.visible_from ?? '',
  visibleUntil: row.visible_until ?? '',
})

const rowOf = (form: FaqForm) => ({
  category_id: Number(form.categoryId),
  question: form.question,
  answer: JSON.stringify(form.answer),
  answer_text: textOf(form.answer),
  other_wordings: form.alternatives,
  visible_from: form.visibleFrom || null,
  visible_until: form.visibleUntil || null,
})

const quoted = (question: string): string => `“${question}”`

const faqStateStore = defineStateStore({
  machine: faqStates,
  subject: 'faq',
  lock: async (tx, scope, id) => {
    const { status, question } = await questions.lock(tx, scope, id)
    return { id, state: status, name: quoted(question), details: { question } }
  },
  write: (tx, { scope, locked, to, at }) => changeRow(tx, 'faq', scope, locked.id, { status: to, edited_at: at }),
})

const NO_CATEGORY = 'This category no longer exists. Choose another one.'
/** Locks the category, so that it can't be removed before the question is in it. */
async function expectCategory(tx: Tx, company: CompanyId, { categoryId }: FaqForm): Promise<void> {
  await tx
    .selectFrom('faq_category')
    .select('id')
    .where('company_id', '=', company)
    .where('id', '=', Number(categoryId))
    .forKeyShare()
    .executeTakeFirstOrThrow(() => rejected(NO_CATEGORY, { categoryId: NO_CATEGORY }))
}

/** Returns the position after all other questions of the category. */
const nextPosition = (company: CompanyId, category: number) => sql<number>`
  (SELECT coalesce(max(position) + 1, 0) FROM faq WHERE company_id = ${company} AND category_id = ${category})`

export const showFaqCall = implement(showFaq, (call) => {
  const { faqId } = call.body
  const { privileges } = signedIn(call)
  const company = call.company.id
  return call.reading(async (tx) => {
    const row = await questions.find(tx, company, faqId)
    const { rows } = await sql<{ category: string; helped: number; notHelped: number }>`
      SELECT c.name AS category, coalesce(sum(h.yes), 0)::int AS helped, coalesce(sum(h.no), 0)::int AS "notHelped"
      FROM faq_category c LEFT JOIN faq_helped h ON h.company_id = c.company_id AND h.faq_id = ${faqId}
      WHERE c.company_id = ${company} AND c.id = ${row.category_id} GROUP BY c.company_id, c.id`.execute(tx)
    const { category = '', helped = 0, notHelped = 0 } = rows[0] ?? {}
    const edit = may(privileges, 'faqs', 'update')
    return {
      form: formOf(row),
      category,
      status: row.status,
      helped,
      notHelped,
      can: {
        edit,
        remove: edit && row.status === 'draft',
        ...buttonsFrom(faqStates, row.status, { as: 'staff', privileges }),
      },
    }
  })
})

export const writeFaqCall = implement(writeFaq, (call) => {
  const { form, searchId } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const id = await createFaq(tx, call, form)
    if (searchId !== null)
      await tx.deleteFrom('faq_missing').where('company_id', '=', company).where('id', '=', searchId).execute()
    return { success: true as const, message: say`Draft ${quoted(form.question)} created.`, faqId: id }
  })
})

/** Creates a draft at the end of its category. @returns its id */
export async function createFaq(tx: Tx, call: Call, form: FaqForm): Promise<number> {
  const company = call.company.id
  await expectCategory(tx, company, form)
  const row = rowOf(form)
  const { id } = await tx
    .insertInto('faq')
    .values({
      ...row,
      company_id: company,
      position: nextPosition(company, row.category_id),
      edited_at: call.context.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordCreation(tx, faqStateStore, {
    scope: company,
    id,
    event: 'write',
    actor: actorOf(call),
    detail: { question: form.question },
  })
  return id
}

export const publishFaq = (tx: Tx, call: Call, id: number) =>
  transition(tx, faqStateStore, { scope: call.company.id, id, event: 'publish', actor: actorOf(call) })

/**
 * Returns both sides of an edit conflict as plain text if the field is an answer, because the stored format is not
 * readable.
 */
const sideTextOf = (field: string, others: unknown, own: unknown) =>
  field === 'answer'
    ? { label: say`Answer`, texts: { own: textOf(own as RichText), others: textOf(others as RichText) } }
    : {}

export const saveFaqCall = implement(saveFaq, (call) => {
  const { faqId, form: own, basis } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const row = await questions.lock(tx, company, faqId)
    const before = formOf(row)
    const edit = editBy(tx, call, `faq ${faqId}`)
    const after = await mergeEdit<FaqForm>(edit, { basis, own, now: { ...before }, labelsOf: sideTextOf })
    // Two edits that are valid separately can be invalid when they are combined.
    const checked = faqForm.safeParse(after)
    if (!checked.success) {
      const [issue] = checked.error.issues
      throw rejected(issue?.message ?? '', { [issue?.path.join('.') ?? '']: issue?.message ?? '' })
    }
    if (!same(before, after)) {
      await expectCategory(tx, company, after)
      const values = rowOf(after)
      const hasMoved = values.category_id !== row.category_id
      await changeRow(tx, 'faq', company, faqId, {
        ...values,
        ...(hasMoved && { position: nextPosition(company, values.category_id) }),
        edited_at: call.context.clock.now(),
      })
      await recordChanges(edit, { ...before }, { ...after })
      await audited(tx, call, faqId, { before: auditDataOf(before), after: auditDataOf(after) })
    }
    return { success: true as const, message: say`${quoted(after.question)} saved.` }
  })
})

const auditDataOf = ({ answer, ...form }: FaqForm) => ({ ...form, answer: textOf(answer) })
const audited = (tx: Tx, call: Call, id: number, detail: Record<string, unknown>) =>
  call.audit(tx, { action: 'faq.changed', subject: { kind: 'faq', id }, detail })

export const moveFaqCall = implement(transitionFaq, (call) => {
  const { faqId, event } = call.body
  return call.inCompany(async (tx) => {
    const { message } = await transition(tx, faqStateStore, {
      scope: call.company.id,
      id: faqId,
      event,
      actor: actorOf(call),
    })
    return { success: true as const, message }
  })
})

export const removeFaqCall = implement(removeFaq, (call) => {
  const { faqId } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const row = await questions.lock(tx, company, faqId)
    if (row.status !== 'draft')
      throw conflict('wrong_status', say`${quoted(row.question)} is published. Unpublish it first.`)
    await tx.deleteFrom('faq').where('company_id', '=', company).where('id', '=', faqId).execute()
    await call.audit(tx, {
      action: 'faq.removed',
      subject: { kind: 'faq', id: faqId },
      detail: auditDataOf(formOf(row)),
    })
    return { success: true as const, message: say`${quoted(row.question)} was removed.` }
  })
})

export const linkTargetsCall = implement(faqLinkTargets, async (call) => {
  const { company, context } = call
  const today = dateIn(company.timeZone, context.clock.now())
  const pages = await call.reading((tx) => allFindable(context, tx, { company, today, isSignedIn: true }))
  const paths = new Map(pages.map(({ title, path }) => [path, title]))
  return { targets: [...paths].map(([path, title]) => ({ title, path })) }
})
