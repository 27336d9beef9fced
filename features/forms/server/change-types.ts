import { staffToChoose } from '../../../server/accounts/at-work.ts'
import { sql } from 'kysely'
import { type Call, implement, signedIn } from '../../../server/call.ts'
import { originOf } from '../../../server/config.ts'
import { changeRow, hasRow, insertUnderFreeAddress } from '../../../server/db/rows.ts'
import { applyEdit, editBy } from '../../../server/edits.ts'
import { refuseMistakes, rejected } from '../../../server/errors.ts'
import { workOf } from '../../../server/fields/calls.ts'
import { createFieldSet, readFieldSet } from '../../../server/fields/sets.ts'
import { recordCreation, transition, actorOf } from '../../../server/states.ts'
import type { CompanyId, Tx } from '../../../server/tenancy.ts'
import { dateIn } from '../../../shared/dates.ts'
import type { Definition } from '../../../shared/fields/definition.ts'
import { blankStep } from '../../../shared/fields/blank.ts'
import { buttonsFrom } from '../../../shared/machine.ts'
import { may } from '../../../shared/privileges.ts'
import { say } from '../../../shared/messages.ts'
import { changeFormType, createFormType, formTypeChoices, saveFormType, showFormType } from '../contract.ts'
import {
  mistakesOf,
  slugOf,
  type TemplateSettings,
  type TypeForm,
  submissionStatus,
  openSubmissions,
} from '../rules.ts'
import { formTypeStates } from '../states.ts'
import { formOf, typeStateStore, pathOf, publishedFields, readType } from './types.ts'
import { litList } from '../../../server/list-sql.ts'

/** Kind of form fields in the `field_set` table. */
export const FIELDS_KIND = 'form'

export const rowOf = (form: TypeForm) => ({
  title: form.title,
  category: form.category,
  description: form.description,
  seen_by: form.seenBy,
  opens_on: form.opensOn || null,
  closes_on: form.closesOn || null,
  max_each: form.maxEach,
  each_days: form.eachDays,
  limit_fields: JSON.stringify(form.maxSame === null ? [] : form.limitFields),
  max_same: form.maxSame,
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
  const { clock } = call.context
  const company = call.company.id
  return call.inCompany(async (tx) => {
    await refuseStrangers(tx, company, form)
    const [template] = templateId === null ? [] : await libraryOf(tx, company, templateId)
    const steps = template?.content?.definition.steps ?? [blankStep('questions')]
    const field_set_id = await createFieldSet(workOf(call, tx), FIELDS_KIND, { name: form.title, steps })
    const at = clock.now()
    const values = {
      ...rowOf(form),
      field_set_id,
      template_id: templateId === null ? null : Number(templateId),
      created_at: at,
      changed_at: at,
    }
    const id = await insertUnderFreeAddress(slugOf(form.title), (slug) =>
      tx
        .insertInto('form_type')
        .values({ ...values, company_id: company, slug })
        .onConflict((on) => on.columns(['company_id', 'slug']).doNothing())
        .returning('id')
        .executeTakeFirst(),
    )
    await recordCreation(tx, typeStateStore, {
      scope: company,
      id,
      event: 'create',
      actor: actorOf(call),
      detail: { title: form.title },
    })
    return { success: true as const, message: say`Draft “${form.title}” created.`, typeId: id }
  })
})

/** Refuses a department or reviewer of another company. */
async function refuseStrangers(tx: Tx, company: CompanyId, { departmentId, reviewerId }: TypeForm): Promise<void> {
  if (departmentId !== null && !(await hasRow(tx, 'department', { company_id: company, id: departmentId })))
    throw rejected('Choose a department.', { departmentId: 'Choose an option from the list.' })
  if (reviewerId !== null && !(await hasRow(tx, 'person', { company_id: company, id: reviewerId })))
    throw rejected('Choose a reviewer.', { reviewerId: 'Choose an option from the list.' })
}

export const saveFormTypeCall = implement(saveFormType, async (call) => {
  const { typeId, form: own, basis } = call.body
  const company = call.company.id
  return call.inCompany(async (tx) => {
    const before = formOf(await readType(tx, company, typeId, true))
    const edit = editBy(tx, call, `form_type ${typeId}`)
    const { after, isChanged } = await applyEdit(edit, { basis, own, before })
    refuseMistakes(mistakesOf(after))
    await refuseStrangers(tx, company, after)
    if (isChanged) {
      await changeRow(tx, 'form_type', company, typeId, { ...rowOf(after), changed_at: call.context.clock.now() })
      await audited(tx, call, typeId, { before, after })
    }
    return { success: true as const, message: say`“${after.title}” saved.` }
  })
})

export const changeFormTypeCall = implement(changeFormType, async (call) => {
  const { typeId, event } = call.body
  return call.inCompany(async (tx) => {
    const { message } = await transition(tx, typeStateStore, {
      scope: call.company.id,
      id: typeId,
      event,
      actor: actorOf(call),
    })
    return { success: true as const, message }
  })
})

export const showFormTypeCall = implement(showFormType, async (call) => {
  const { context, company } = call
  const { privileges } = signedIn(call)
  const { typeId } = call.body
  return call.reading(async (tx) => {
    const type = await readType(tx, company.id, typeId)
    const { draft, latestVersion } = await readFieldSet(workOf(call, tx), type.fieldSet)
    const { definition: published } = await publishedFields({ tx, company: company.id }, type)
    const { rows } = await sql<{ pending: number; sent: number; department: string; reviewer: string }>`
      SELECT count(*) FILTER (WHERE s.status IN (${litList(openSubmissions)}))::int AS pending, count(*) FILTER (WHERE s.status <> ${sql.lit(submissionStatus.draft)})::int AS sent,
        coalesce((SELECT name FROM department WHERE company_id = ${company.id} AND id = ${type.departmentId}::bigint), '') AS department,
        coalesce((SELECT first_name || ' ' || last_name FROM person WHERE company_id = ${company.id} AND id = ${type.reviewerId}::bigint), '') AS reviewer
      FROM form_submission s WHERE s.company_id = ${company.id} AND s.type_id = ${typeId}`.execute(tx)
    const edit = may(privileges, 'forms', 'create')
    const steps = buttonsFrom(formTypeStates, type.status, { as: 'staff', privileges })
    return {
      ...(rows[0] ?? { pending: 0, sent: 0, department: '', reviewer: '' }),
      id: typeId,
      form: formOf(type),
      status: type.status,
      url: originOf(context.config, company.subdomain) + pathOf(type),
      draft,
      latestVersion,
      published,
      today: dateIn(company.timeZone, context.clock.now()),
      can: {
        edit,
        publish: edit && steps.publish,
        close: edit && steps.close,
        enter: type.status === 'published' && may(privileges, 'submissions', 'update'),
      },
    }
  })
})

/** Maximum number of choices, more than any company needs. */
const MAX_CHOICES = 500

export const formTypeChoicesCall = implement(formTypeChoices, async (call) =>
  call.reading(async (tx) => {
    const company = call.company.id
    const { rows: types } = await sql<{ id: number; title: string }>`
      SELECT id, title FROM form_type WHERE company_id = ${company} ORDER BY title_key, id LIMIT ${MAX_CHOICES}`.execute(
      tx,
    )
    return { ...(await staffToChoose(tx, company)), library: await libraryOf(tx, company), types }
  }),
)

interface LibraryForm {
  id: number
  title: string
  description: string
  content: { definition: Definition; settings: TemplateSettings } | null
}

/** Lists the form templates assigned to this company, or finds one of them. */
async function libraryOf(tx: Tx, company: CompanyId, only: number | null = null): Promise<LibraryForm[]> {
  const { rows } = await sql<LibraryForm>`
    SELECT t.id, t.title, t.description,
      CASE WHEN c.version IS NULL THEN NULL ELSE jsonb_build_object('definition', c.definition, 'settings', c.settings) END AS content
    FROM form_template_assignment a JOIN form_template t ON t.id = a.template_id
    LEFT JOIN form_template_content c ON c.template_id = t.id AND c.version = t.current_version
    WHERE a.company_id = ${company} AND (${only}::bigint IS NULL OR t.id = ${only}::bigint)
    ORDER BY t.title LIMIT ${MAX_CHOICES}`.execute(tx)
  return rows
}
