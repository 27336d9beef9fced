import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { changeRow, rowFinderById } from '../../../server/db/rows.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { editBy, mergeEdit, recordChanges } from '../../../server/edits.ts'
import { conflict, notFound } from '../../../server/errors.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import type { ResponseOf } from '../../../shared/endpoint.ts'
import { same } from '../../../shared/edits.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { faqCategories, orderFaqs, removeFaqCategory, saveFaqCategory } from '../contract-staff.ts'

const categories = rowFinderById('faq_category', () => notFound('This category was not found.'))

defineUnique({
  index: 'faq_category_name_once',
  field: 'name',
  message: 'A category with this name already exists.',
})

export const categoriesCall = implement(faqCategories, async (call) => {
  const { rows } = await call.reading((tx) =>
    sql<ResponseOf<typeof faqCategories>['categories'][number]>`
      SELECT c.id, c.name, coalesce(q.faqs, '[]') AS faqs FROM faq_category c CROSS JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('id', f.id, 'question', f.question, 'status', f.status) ORDER BY f.position, f.id) AS faqs
        FROM faq f WHERE f.company_id = c.company_id AND f.category_id = c.id) q
      WHERE c.company_id = ${call.company.id} ORDER BY c.position, c.id`.execute(tx),
  )
  return {
    categories: rows,
    can: { edit: may(call.session?.privileges ?? {}, 'faqs', 'update') },
  }
})

/** Creates a category after all others. @returns its id */
export async function createCategory(tx: Tx, call: Call, name: string): Promise<number> {
  const company = call.company.id
  const { id } = await tx
    .insertInto('faq_category')
    .values({
      company_id: company,
      name,
      position: sql<number>`(SELECT coalesce(max(position) + 1, 0) FROM faq_category WHERE company_id = ${company})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await call.audit(tx, { action: 'faq.category_added', subject: { kind: 'faq_category', id }, detail: { name } })
  return id
}

export const saveCategoryCall = implement(saveFaqCategory, (call) => {
  const { categoryId, basis, name } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    if (categoryId === null) {
      const id = await createCategory(tx, call, name)
      return { success: true as const, message: say`“${name}” added.`, categoryId: id }
    }
    const before = { name: (await categories.lock(tx, company, categoryId)).name }
    const edit = editBy(tx, call, `faq_category ${categoryId}`)
    const after = await mergeEdit(edit, { basis, own: { name }, now: before })
    if (!same(before, after)) {
      await changeRow(tx, 'faq_category', company, categoryId, after)
      await recordChanges(edit, before, after)
      const subject = { kind: 'faq_category', id: categoryId } as const
      await call.audit(tx, { action: 'faq.category_renamed', subject, detail: { before, after } })
    }
    return { success: true as const, message: say`“${after.name}” saved.`, categoryId }
  })
})

export const removeCategoryCall = implement(removeFaqCategory, (call) => {
  const { categoryId } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    // A concurrent call that adds a question to the category waits for this lock. After the wait, that call finds that
    // the category no longer exists.
    const { rows } = await sql<{ name: string; isUsed: boolean }>`
      SELECT c.name, EXISTS (SELECT FROM faq f WHERE f.company_id = c.company_id AND f.category_id = c.id) AS "isUsed"
      FROM faq_category c WHERE c.company_id = ${company} AND c.id = ${categoryId} FOR UPDATE`.execute(tx)
    const [row] = rows
    if (!row) throw notFound('This category was not found.')
    const { name, isUsed } = row
    if (isUsed)
      throw conflict('in_use', say`“${name}” still has FAQs. Move them to another category, or remove them first.`)
    await tx.deleteFrom('faq_category').where('company_id', '=', company).where('id', '=', categoryId).execute()
    const subject = { kind: 'faq_category', id: categoryId } as const
    await call.audit(tx, { action: 'faq.category_removed', subject, detail: { name } })
    return { success: true as const, message: say`“${name}” removed.` }
  })
})

/**
 * Returns the ids of a category's questions in order, or those of all categories if `category` is null. Locks the rows
 * until the transaction ends.
 */
async function lockOrder(tx: Tx, company: CompanyId, category: number | null): Promise<number[]> {
  // Locks the category, so that concurrent changes of its order run one at a time.
  if (category !== null) await categories.lock(tx, company, category)
  const { rows } =
    category === null
      ? await sql<{ id: number }>`
          SELECT id FROM faq_category WHERE company_id = ${company} ORDER BY position, id FOR NO KEY UPDATE`.execute(tx)
      : await sql<{ id: number }>`
          SELECT id FROM faq WHERE company_id = ${company} AND category_id = ${category} ORDER BY position, id
          FOR NO KEY UPDATE`.execute(tx)
  return rows.map(({ id }) => id)
}

export const orderCall = implement(orderFaqs, (call) => {
  const { categoryId, order, basis } = call.body
  const company = call.company.id
  const table = categoryId === null ? sql`faq_category` : sql`faq`
  return call.inCompany(async (tx) => {
    const now = await lockOrder(tx, company, categoryId)
    const edit = editBy(tx, call, categoryId === null ? 'faq_categories' : `faq_category_order ${categoryId}`)
    const merged = await mergeEdit(edit, { basis, own: { order }, now: { order: now } })
    // Drops removed ids and appends new ids.
    const existing = merged.order.filter((id) => now.includes(id))
    const after = [...new Set([...existing, ...now])]
    if (!same(now, after)) {
      await sql`
        UPDATE ${table} r SET position = o.nth - 1 FROM unnest(${after}::bigint[]) WITH ORDINALITY AS o (id, nth)
        WHERE r.company_id = ${company} AND r.id = o.id`.execute(tx)
      await recordChanges(edit, { order: now }, { order: after })
      await call.audit(
        tx,
        categoryId === null
          ? { action: 'faq.categories_ordered', detail: { order: after } }
          : { action: 'faq.ordered', subject: { kind: 'faq_category', id: categoryId }, detail: { order: after } },
      )
    }
    return { success: true as const, message: 'Order saved.' }
  })
})
