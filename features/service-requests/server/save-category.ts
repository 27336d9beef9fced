import { staffToChoose } from '../../../server/accounts/at-work.ts'
import { sql } from 'kysely'
import { type Call, implement } from '../../../server/call.ts'
import { defineUnique } from '../../../server/db/unique.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { implementList } from '../../../server/list.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { categoryChoices, saveCategory } from '../contract-settings.ts'
import { requestCategories } from '../list-categories.ts'
import { type Category, readCategory } from './categories.ts'
import { changeRow, hasRow } from '../../../server/db/rows.ts'
import { openRequests } from '../rules.ts'
import { crewsInUse, expectAtWork } from '../../work-orders/api.ts'
import { litList } from '../../../server/list-sql.ts'

const escalationName = sql`(SELECT trim(p.first_name || ' ' || p.last_name) FROM person p WHERE p.company_id = r.company_id AND p.id = r.escalate_to)`
const department = sql`(SELECT d.name FROM department d WHERE d.company_id = r.company_id AND d.id = r.department_id)`
const open = sql`(SELECT count(*)::int FROM service_request s WHERE s.company_id = r.company_id AND s.category_id = r.id AND s.status IN (${litList(openRequests)}))`

export const categoryLists = implementList(requestCategories, {
  table: sql`request_category`,
  columns: {
    sortNo: 'sort_no',
    name: 'name',
    department: sql`coalesce(${department}, '')`,
    targetDays: 'target_days',
    escalatesTo: sql`coalesce(${escalationName}, '')`,
    open,
    active: 'is_active',
    hint: 'hint',
    departmentId: 'department_id',
    escalateTo: 'escalate_to',
    crewId: 'crew_id',
    forGuests: sql`r.for_guests = 1`,
    needsLocation: sql`r.needs_location = 1`,
    onMap: sql`r.on_map = 1`,
  },
  unindexed: { all: 'A municipality has about twenty categories.' },
  search: sql`lower(r.name)`,
  row: (_row, { session }) => {
    const edit = may(session?.privileges ?? {}, 'requests', 'update')
    return { can: { edit, copy: edit, exportJson: edit, importJson: edit } }
  },
  exported: 'export.request_categories',
})

export const categoryChoicesCall = implement(categoryChoices, (call) =>
  call.reading(async (tx) => ({
    ...(await staffToChoose(tx, call.company.id)),
    crews: await crewsInUse(tx, call.company.id),
  })),
)

/** Converts a category to form values. */
export const formOf = (row: Category) => ({
  name: row.name,
  hint: row.hint,
  sortNo: row.sort_no,
  active: row.is_active === 1,
  departmentId: row.department_id,
  targetDays: row.target_days,
  escalateTo: row.escalate_to,
  crewId: row.crew_id,
  forGuests: row.for_guests === 1,
  needsLocation: row.needs_location === 1,
  onMap: row.on_map === 1,
})
export type CategoryForm = ReturnType<typeof formOf>
type Form = CategoryForm

const bit = (yes: boolean) => (yes ? (1 as const) : (0 as const))
const rowOf = (form: Form) => ({
  name: form.name,
  hint: form.hint,
  sort_no: form.sortNo,
  is_active: bit(form.active),
  department_id: form.departmentId,
  target_days: form.targetDays,
  escalate_to: form.escalateTo,
  crew_id: form.crewId,
  for_guests: bit(form.forGuests),
  needs_location: bit(form.needsLocation),
  on_map: bit(form.onMap),
})

/** Creates a category. @returns its id */
export async function createCategory(tx: Tx, call: Call, form: CategoryForm): Promise<number> {
  const company = call.company.id
  await expectFit(tx, company, form)
  const { id } = await tx
    .insertInto('request_category')
    .values({ company_id: company, ...rowOf(form) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await call.audit(tx, {
    action: 'request.category_added',
    subject: { kind: 'request_category', id },
    detail: form,
  })
  return id
}

/** Adds or changes a category. Existing requests keep their category name and due date. */
export const saveCategoryCall = implement(saveCategory, (call) => {
  const { companyId: _named, categoryId, basis, ...own } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    if (categoryId === null) {
      const id = await createCategory(tx, call, own)
      return { success: true as const, message: say`“${own.name}” added.`, categoryId: id }
    }
    const before = formOf(await readCategory(tx, company, categoryId, true))
    const subject = `request_category ${categoryId}`
    const edit = editBy(tx, call, subject)
    const { after, isChanged } = await applyEdit<Form>(edit, { basis, own, before })
    if (isChanged) {
      await expectFit(tx, company, after, before)
      await changeRow(tx, 'request_category', company, categoryId, rowOf(after))
      const detail = { before, after }
      await call.audit(tx, {
        action: 'request.category_changed',
        subject: { kind: 'request_category', id: categoryId },
        detail,
      })
    }
    return { success: true as const, message: say`“${after.name}” saved.`, categoryId }
  })
})

defineUnique({
  index: 'request_category_name_once',
  field: 'name',
  message: 'A category with this name already exists.',
})

/**
 * Checks that the department and the person belong to the company.
 * @throws 422 if one of them does not belong to the company
 */
async function expectFit(tx: Tx, company: CompanyId, form: Form, before?: Form): Promise<void> {
  const { departmentId, escalateTo, crewId } = form
  const crew = { assignedTo: null, departmentId: null }
  await expectAtWork(tx, company, { ...crew, crewId }, before && { ...crew, crewId: before.crewId })
  if (departmentId !== null && !(await hasRow(tx, 'department', { company_id: company, id: departmentId })))
    throw rejected(NO_DEPARTMENT, { departmentId: NO_DEPARTMENT })
  if (escalateTo !== null) {
    const escalationPerson = await tx
      .selectFrom('person')
      .select('id')
      .where('company_id', '=', company)
      .where('id', '=', escalateTo)
      .where('role_id', '>=', 3)
      .executeTakeFirst()
    if (!escalationPerson) throw rejected(NO_PERSON, { escalateTo: NO_PERSON })
  }
}

const NO_DEPARTMENT = 'This department was not found. Choose another one.'
const NO_PERSON = 'This staff member was not found. Choose someone else.'
