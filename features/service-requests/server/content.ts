import { sql } from 'kysely'
import { defineContent, lastEditOf } from '../../../server/contents.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { categoryForm, publishCategoryFields, saveCategory, saveCategoryFields } from '../contract-settings.ts'
import { readCategory } from './categories.ts'
import { publishCategoryFieldsCall, saveCategoryFieldsCall } from './category-fields.ts'
import { type CategoryForm, formOf, saveCategoryCall } from './save-category.ts'

const MAX_SORT_NO = 9999

/** Returns the number that sorts a new category after all others. */
export async function nextSortNo(tx: Tx, company: CompanyId): Promise<number> {
  const { last } = await tx
    .selectFrom('request_category')
    .select(({ fn }) => fn.max('sort_no').as('last'))
    .where('company_id', '=', company)
    .executeTakeFirstOrThrow()
  return Math.min(MAX_SORT_NO, Number(last ?? 0) + 10)
}

export const categoryContent = defineContent({
  kind: 'request-category',
  label: 'Request categories',
  area: 'requests',
  permission: 'update',
  calls: [saveCategoryCall, saveCategoryFieldsCall, publishCategoryFieldsCall],
  names: { table: 'request_category', column: 'name', maxLength: 80 },
  settings: {
    name: 'Name',
    hint: 'Hint',
    targetDays: 'Business days to complete',
    forGuests: 'Guests can send requests',
    needsLocation: 'Requests need a location',
    onMap: 'Residents see requests on the map',
  },
  usual: {
    ...{ hint: '', sortNo: 0, active: false, departmentId: null, targetDays: 10, escalateTo: null, crewId: null },
    ...{ forGuests: true, needsLocation: true, onMap: true },
  },
  schema: categoryForm,
  async read(tx, company, id) {
    const category = await readCategory(tx, company, id)
    return { form: formOf(category), fieldSet: category.field_set_id, departmentId: category.department_id }
  },
  async create({ tx, company, run }, settings, departmentId) {
    const form = settings as CategoryForm
    const { categoryId } = await run(saveCategory, {
      ...{
        ...form,
        sortNo: await nextSortNo(tx, company),
        active: false,
        departmentId,
        escalateTo: null,
        crewId: null,
      },
      categoryId: null,
    })
    return categoryId
  },
  save: (run, categoryId, form, basis) => run(saveCategory, { ...(form as CategoryForm), categoryId, basis }),
  questions: { save: saveCategoryFields, publish: publishCategoryFields, of: (categoryId) => ({ categoryId }) },
  listed: sql`
    SELECT r.company_id, r.id, r.name AS title, ${lastEditOf(sql`'request_category ' || r.id`)} AS changed_at
    FROM request_category r WHERE r.is_active = 1`,
  path: (id) => `/municipality/manage/customer-communication/categories/${id}/fields`,
})
