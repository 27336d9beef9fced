import { sql } from 'kysely'
import { defineContent } from '../../../server/contents.ts'
import { translated } from '../../../shared/messages.ts'
import { formatCents } from '../../../shared/money.ts'
import { createFormType, publishFormFields, saveFormFields, saveFormType } from '../contract.ts'
import { audiences, categories, feeKinds, GL_ACCOUNT, type TypeForm, typeForm, usualType } from '../rules.ts'
import { createFormTypeCall, saveFormTypeCall } from './change-types.ts'
import { formFieldCalls } from './fields.ts'
import { formOf, readType } from './types.ts'

const usual = { ...usualType, glAccount: GL_ACCOUNT }

export const formContent = defineContent({
  kind: 'form',
  label: 'Forms',
  area: 'forms',
  permission: 'create',
  calls: [createFormTypeCall, saveFormTypeCall, ...formFieldCalls],
  names: { table: 'form_type', column: 'title', maxLength: 120 },
  settings: {
    title: 'Title',
    category: 'Category',
    description: 'Description',
    seenBy: 'Visible to',
    opensOn: 'Opens on',
    closesOn: 'Open until',
    maxEach: 'Limit per person',
    eachDays: 'Days of the limit',
    limitFields: 'Questions with limited equal answers',
    maxSame: 'Limit of equal answers',
    feeKind: 'Fee',
    feeCents: 'Amount of the fee',
    cosigned: 'Second signature',
    issues: 'Issued on approval',
    validMonths: 'Months of validity',
    remindDays: 'Days of the reminder before expiry',
  },
  texts: {
    category: (value: keyof typeof categories) => translated(categories[value]),
    seenBy: (value: keyof typeof audiences) => translated(audiences[value]),
    feeKind: (value: keyof typeof feeKinds) => translated(feeKinds[value]),
    feeCents: (value: number | null) => (value === null ? '' : formatCents(value)),
  },
  local: ['opensOn', 'closesOn'],
  usual,
  complete: (form) =>
    form['feeKind'] !== 'none' && form['glAccount'] === '' ? { ...form, glAccount: GL_ACCOUNT } : form,
  schema: typeForm,
  async read(tx, company, id) {
    const type = await readType(tx, company, id)
    return { form: { ...formOf(type) }, fieldSet: type.fieldSet, departmentId: type.departmentId }
  },
  async create({ run }, settings, departmentId) {
    const form = settings as unknown as TypeForm
    const glAccount = form.feeKind === 'none' ? '' : GL_ACCOUNT
    const { typeId } = await run(createFormType, {
      ...{ form: { ...form, glAccount, departmentId, reviewerId: null }, templateId: null },
    })
    return typeId
  },
  save: (run, typeId, form, basis) => run(saveFormType, { typeId, form: form as unknown as TypeForm, basis }),
  questions: { save: saveFormFields, publish: publishFormFields, of: (typeId) => ({ typeId }) },
  listed: sql`SELECT company_id, id, title, changed_at FROM form_type WHERE status = 'published'`,
  path: (id) => `/municipality/manage/manage-forms-and-docs?form=${id}`,
})
