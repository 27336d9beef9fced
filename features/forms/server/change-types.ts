import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { changeRow, hasRow } from '../../../server/db/rows.ts'
import { editBy, mergeEdit, noteChanges } from '../../../server/edits.ts'
import { rejected } from '../../../server/errors.ts'
import { createFieldSet, readFieldSet } from '../../../server/fields/sets.ts'
import { begin, move, whoOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import { same } from '../../../shared/edits.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/words.ts'
import { changeFormType, createFormType, formTypeChoices, saveFormType, showFormType } from '../contract.ts'
import { mistakesOf, slugOf, type TypeForm } from '../rules.ts'
import { formTypeStates } from '../states.ts'
import { formOf, keptTypes, pathOf, publishedFields, readType } from './types.ts'

/** What `field_set` calls the fields of forms. */
export const FIELDS_KIND = 'form'

/** A form's values as the table has them. */
export const rowOf = (form: TypeForm) => ({
  title: form.title,
  category: form.category,
  description: form.description,
  seen_by: form.seenBy,
  opens_on: form.opensOn || null,
  closes_on: form.closesOn || null,
  most_each: form.mostEach,
  each_days: form.eachDays,
  limit_fields: JSON.stringify(form.mostSame === null ? [] : form.limitFields),
  most_same: form.mostSame,
  department_id: form.departmentId,
  reviewer_id: form.reviewerId,
  fee_kind: form.feeKind,
  fee_cents: form.feeKind === 'fixed' ? form.feeCents : null,
  gl_account: form.feeKind === 'none' ? '' : form.glAccount,
  is_cosigned: form.cosigned ? (1 as const) : (0 as const),
  issues: form.issues,
  valid_months: form.issues === '' ? null : form.validMonths,
  remind_days: form.remindDays,
})

const audited = (tx: Tx, call: Call, id: number, detail: Record<string, unknown>) =>
  call.audit(tx, { action: 'form_type.changed', subject: { kind: 'form_type', id }, detail })

export const createFormTypeCall = implement(createFormType, async (call) => {
  const { form, templateId } = call.body
  const { clock } = call.house
  const company = call.company.id
  return call.inCompany(async (tx) => {
    await refuseStrangers(tx, company, form)
    const work = { tx, clock, doer: call, company }
    const field_set_id = await createFieldSet(work, FIELDS_KIND, { name: form.title, steps: [blankStep('questions')] })
    const at = clock.now()
    const values = {
      ...rowOf(form),
      field_set_id,
      template_id: templateId === null ? null : Number(templateId),
      created_at: at,
      changed_at: at,
    }
    const id = await insertUnderFreeAddress(tx, company, slugOf(form.title), values)
    await begin(tx, keptTypes, { place: company, id, event: 'create', who: whoOf(call), detail: { title: form.title } })
    return { success: true as const, message: say`“${form.title}” is begun as a draft.`, typeId: id }
  })
})

/** The second of two that are called the same is at `/forms-documents/dog-license-2`. */
async function insertUnderFreeAddress(
  tx: Tx,
  company: CompanyId,
  stem: string,
  values: ReturnType<typeof rowOf> & {
    field_set_id: number
    template_id: number | null
    created_at: Date
    changed_at: Date
  },
): Promise<number> {
  for (let nth = 1; ; nth += 1) {
    const row = await tx
      .insertInto('form_type')
      .values({ ...values, company_id: company, slug: nth === 1 ? stem : `${stem}-${nth}` })
      .onConflict((on) => on.columns(['company_id', 'slug']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) return row.id
  }
}

/** Whom it belongs to has to be of this town. */
async function refuseStrangers(tx: Tx, company: CompanyId, { departmentId, reviewerId }: TypeForm): Promise<void> {
  if (departmentId !== null && !(await hasRow(tx, 'department', { company_id: company, id: departmentId })))
    throw rejected('Choose a department.', { departmentId: 'Choose one of the list.' })
  if (reviewerId !== null && !(await hasRow(tx, 'person', { company_id: company, id: reviewerId })))
    throw rejected('Choose a reviewer.', { reviewerId: 'Choose one of the list.' })
}

export const saveFormTypeCall = implement(saveFormType, async (call) => {
  const { typeId, form: mine, basis } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = formOf(await readType(tx, company, typeId, true))
    const edit = editBy(tx, call, `form_type ${typeId}`)
    const after = await mergeEdit(edit, { basis, mine, now: before as never })
    // Each half may be right by itself, and both together wrong.
    const [wrong] = Object.entries(mistakesOf(after))
    if (wrong) throw rejected(wrong[1], { [wrong[0]]: wrong[1] })
    await refuseStrangers(tx, company, after)
    if (!same(before, after)) {
      await changeRow(tx, 'form_type', company, typeId, { ...rowOf(after), changed_at: call.house.clock.now() })
      await noteChanges(edit, before as never, after as never)
      await audited(tx, call, typeId, { before, after })
    }
    return { success: true as const, message: say`“${after.title}” is saved.` }
  })
})

export const changeFormTypeCall = implement(changeFormType, async (call) => {
  const { typeId, event } = call.body
  return call.inCompany(async (tx) => {
    const { message } = await move(tx, keptTypes, { place: call.company.id, id: typeId, event, who: whoOf(call) })
    return { success: true as const, message }
  })
})

export const showFormTypeCall = implement(showFormType, async (call) => {
  const { house, company } = call
  const { privileges } = signedIn(call)
  const { typeId } = call.body
  return call.reading(async (tx) => {
    const type = await readType(tx, company.id, typeId)
    const work = { tx, clock: house.clock, doer: call, company: company.id }
    const { draft, latestVersion } = await readFieldSet(work, type.fieldSet)
    const { definition: published } = await publishedFields({ tx, company: company.id }, type)
    const { rows } = await sql<{ waiting: number; sent: number; department: string; reviewer: string }>`
      SELECT count(*) FILTER (WHERE s.status IN (0, 1, 11))::int AS waiting, count(*) FILTER (WHERE s.status <> 10)::int AS sent,
        coalesce((SELECT name FROM department WHERE company_id = ${company.id} AND id = ${type.departmentId}::bigint), '') AS department,
        coalesce((SELECT first_name || ' ' || last_name FROM person WHERE company_id = ${company.id} AND id = ${type.reviewerId}::bigint), '') AS reviewer
      FROM form_submission s WHERE s.company_id = ${company.id} AND s.type_id = ${typeId}`.execute(tx)
    const edit = may(privileges, 'manage_others_forms', 'create')
    const steps = buttonsFrom(formTypeStates, type.status, { as: 'staff', privileges })
    return {
      ...(rows[0] ?? { waiting: 0, sent: 0, department: '', reviewer: '' }),
      id: typeId,
      form: formOf(type),
      status: type.status,
      url: originOf(house.config, company.subdomain) + pathOf(type),
      draft,
      latestVersion,
      published,
      today: dateIn(company.timeZone, house.clock.now()),
      can: { edit, publish: edit && steps.publish, close: edit && steps.close },
    }
  })
})

/** More than a town can want to choose from. */
const MOST_CHOICES = 500

export const formTypeChoicesCall = implement(formTypeChoices, async (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const departments = await tx
      .selectFrom('department')
      .select(['id', 'name'])
      .where('company_id', '=', company)
      .where('is_active', '=', 1)
      .orderBy('name')
      .execute()
    const { rows: people } = await sql<{ id: number; name: string }>`
      SELECT id, trim(first_name || ' ' || last_name) AS name FROM person
      WHERE company_id = ${company} AND role_id BETWEEN 3 AND 5 AND is_active = 1 ORDER BY 2, 1 LIMIT ${MOST_CHOICES}`.execute(
      tx,
    )
    const { rows: types } = await sql<{ id: number; title: string }>`
      SELECT id, title FROM form_type WHERE company_id = ${company} ORDER BY title_key, id LIMIT ${MOST_CHOICES}`.execute(
      tx,
    )
    return { departments, people, library: await libraryOf(tx, company), types }
  }),
)

/** The forms of the platform's library that this town was given. */
async function libraryOf(tx: Tx, company: CompanyId) {
  const { rows } = await sql<{ id: number; title: string; description: string }>`
    SELECT t.id, t.title, t.description FROM form_template_assignment a JOIN form_template t ON t.id = a.template_id
    WHERE a.company_id = ${company} ORDER BY t.title LIMIT ${MOST_CHOICES}`.execute(tx)
  return rows
}
